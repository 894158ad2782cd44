/* ReentrantLock with unlock in finally, and one that is released too early. */
// BODIES: java.util.concurrent.locks.ReentrantLock
import java.util.concurrent.locks.*;
public class ReentrantLocks {
	static int bad, good;
	static final ReentrantLock lock = new ReentrantLock();

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			lock.lock();
			lock.unlock();
			bad++; // RACE
		});
		t.start();
		lock.lock();
		bad++; // RACE
		lock.unlock();
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			lock.lock();
			try {
				good++; // NORACE
			} finally {
				lock.unlock();
			}
		});
		t.start();
		lock.lock();
		try {
			good++; // NORACE
		} finally {
			lock.unlock();
		}
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

/* tryLock whose result is looked at, and not. */
import java.util.concurrent.locks.*;
public class TryLock {
	static int bad, good;
	static final Lock lock = new ReentrantLock();

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			lock.tryLock();
			bad++; // RACE possible
		});
		t.start();
		lock.lock();
		bad++; // RACE possible
		lock.unlock();
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			if (lock.tryLock()) {
				good++; // NORACE
				lock.unlock();
			}
		});
		t.start();
		lock.lock();
		good++; // NORACE
		lock.unlock();
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

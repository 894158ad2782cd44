/* StampedLock: both read, and one writes. */
// BODIES: java.util.concurrent.locks.StampedLock
import java.util.concurrent.locks.*;
public class StampedLocks {
	static int bad, good;
	static final StampedLock lock = new StampedLock();

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			long s = lock.readLock();
			bad++; // RACE
			lock.unlockRead(s);
		});
		t.start();
		long s = lock.readLock();
		int x = bad; // RACE
		lock.unlockRead(s);
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			long s = lock.writeLock();
			good++; // NORACE
			lock.unlockWrite(s);
		});
		t.start();
		long s = lock.readLock();
		int x = good; // NORACE
		lock.unlockRead(s);
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

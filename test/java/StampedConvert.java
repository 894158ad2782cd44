/* A read stamp that is turned into a write stamp, and one that is not. */
import java.util.concurrent.locks.StampedLock;
public class StampedConvert {
	static final StampedLock lock = new StampedLock();
	static int bad, good;

	static void racy() {
		long s = lock.readLock();
		bad++; // RACE
		lock.unlockRead(s);
	}

	static void fixed() {
		long s = lock.writeLock();
		try {
			good++; // NORACE
		} finally {
			lock.unlockWrite(s);
		}
	}

	public static void main(String[] args) {
		Runnable r = () -> { racy(); fixed(); };
		new Thread(r).start();
		new Thread(r).start();
	}
}

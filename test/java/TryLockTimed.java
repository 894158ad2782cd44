/* A lock that is tried for a while: held only on success. */
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;
public class TryLockTimed {
	static int bad, good;
	static final ReentrantLock lock = new ReentrantLock();

	static void work() {
		try {
			if (lock.tryLock(1, TimeUnit.SECONDS)) {
				try {
					good++; // NORACE
				} finally {
					lock.unlock();
				}
			} else {
				bad++; // RACE
			}
		} catch (InterruptedException e) {
		}
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

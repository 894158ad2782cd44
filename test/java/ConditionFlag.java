/* A hand-over by a condition in a loop; the racy twin looks at the data before it has the lock. */
import java.util.concurrent.locks.*;
public class ConditionFlag {
	static final Lock lock = new ReentrantLock();
	static final Condition full = lock.newCondition();
	static boolean ready;
	static int good, bad;

	static void put() {
		bad = 1; // RACE
		lock.lock();
		try {
			good = 1; // NORACE
			ready = true; // NORACE
			full.signalAll();
		} finally {
			lock.unlock();
		}
	}

	public static void main(String[] args) throws Exception {
		new Thread(ConditionFlag::put).start();
		System.out.println(bad); // RACE
		lock.lock();
		try {
			while (!ready) // NORACE
				full.await();
			System.out.println(good); // NORACE
		} finally {
			lock.unlock();
		}
	}
}

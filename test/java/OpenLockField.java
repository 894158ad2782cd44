/* Objects of a library, each with a lock and a list of its own: what is in the list is used under the lock, by either half of it; one use forgets it. */
// FLAGS: --open OpenLockField
import java.util.*;
import java.util.concurrent.locks.*;
public class OpenLockField {
	private final List<Object> keys = new ArrayList<>();
	private final List<Object> log = new ArrayList<>();
	private final ReadWriteLock keyLock = new ReentrantReadWriteLock(true);
	private int n;

	public void add(Object k) {
		Lock lock = keyLock.writeLock();
		lock.lock();
		try {
			keys.add(k); // NORACE-LIKELY
			log.add(k); // RACE
			n++; // NORACE
		} finally {
			lock.unlock();
		}
	}

	public void upgrade(Object k) {
		Lock lock = keyLock.readLock();
		try {
			lock.lock();
			if (k != null) {
				lock.unlock();
				lock = keyLock.writeLock();
				lock.lock();
				keys.add(k); // NORACE-LIKELY
				n++; // NORACE
			}
		} finally {
			lock.unlock();
		}
	}

	public int logged() {
		return log.size(); // RACE
	}
}

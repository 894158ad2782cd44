/* Stamps that are turned into ones of another mode, or given up without their number. */
import java.util.concurrent.locks.StampedLock;
public class StampedTurned {
	static final StampedLock lock = new StampedLock();
	static int below, given, tried, optimistic, raised, half, view, both;

	static void downgraded() {
		long s = lock.writeLock();
		half++; // NORACE
		s = lock.tryConvertToReadLock(s);
		below++; // RACE
		lock.unlock(s);
	}

	static void givenUp() {
		lock.writeLock();
		lock.tryUnlockWrite();
		given++; // RACE
	}

	static void givenUpLater() {
		lock.writeLock();
		tried++; // NORACE
		lock.tryUnlockWrite();
	}

	static void nowOptimistic() {
		long s = lock.writeLock();
		s = lock.tryConvertToOptimisticRead(s);
		optimistic++; // RACE
	}

	static void upgraded() {
		long s = lock.readLock();
		try {
			while (true) {
				long w = lock.tryConvertToWriteLock(s);
				if (w != 0) {
					s = w;
					raised++; // NORACE
					break;
				}
				lock.unlockRead(s);
				s = lock.writeLock();
			}
		} finally {
			lock.unlock(s);
		}
	}

	static void hoped() {
		long s = lock.readLock();
		lock.tryConvertToWriteLock(s);
		both++; // RACE
		lock.unlock(s);
	}

	static void viewed() {
		lock.asReadLock().lock();
		view++; // RACE
		lock.asReadLock().unlock();
	}

	public static void main(String[] args) {
		Runnable r = () -> {
			downgraded();
			givenUp();
			givenUpLater();
			nowOptimistic();
			upgraded();
			hoped();
			viewed();
		};
		new Thread(r).start();
		new Thread(r).start();
	}
}

/* Library objects with a read-write lock each: the halves are asked for at each use, or kept in fields. */
// FLAGS: --open OpenReadWrite.Asked --open OpenReadWrite.Kept --open OpenReadWrite.Mixed --open OpenReadWrite.Exchanged
import java.util.concurrent.locks.*;

public class OpenReadWrite {
	/* The halves are asked for. */
	public static class Asked {
		private final ReadWriteLock rw = new ReentrantReadWriteLock();
		private int good, bad;

		public void set(int x) {
			rw.writeLock().lock();
			try {
				good = x; // NORACE
			} finally {
				rw.writeLock().unlock();
			}
		}

		public int get() {
			rw.readLock().lock();
			try {
				bad++; // RACE
				return good; // NORACE
			} finally {
				rw.readLock().unlock();
			}
		}
	}

	/* The halves are kept. */
	public static class Kept {
		private final ReentrantReadWriteLock rw;
		private final Lock read, write;
		private int good, bad;

		public Kept(boolean fair) {
			rw = new ReentrantReadWriteLock(fair);
			read = rw.readLock();
			write = rw.writeLock();
		}

		public void set(int x) {
			write.lock();
			try {
				good = x; // NORACE
				bad = x; // RACE
			} finally {
				write.unlock();
			}
		}

		public int get() {
			read.lock();
			try {
				return good; // NORACE
			} finally {
				read.unlock();
			}
		}

		public int both() {
			rw.readLock().lock();
			try {
				return good; // NORACE
			} finally {
				rw.readLock().unlock();
			}
		}

		public int forgotten() {
			return bad; // RACE
		}
	}

	/* The halves are of two locks. */
	public static class Mixed {
		private final ReentrantReadWriteLock one = new ReentrantReadWriteLock();
		private final ReentrantReadWriteLock two = new ReentrantReadWriteLock();
		private final Lock read = one.readLock(), write = two.writeLock();
		private int bad;

		public void set(int x) {
			write.lock();
			bad = x; // RACE
			write.unlock();
		}

		public int get() {
			read.lock();
			try {
				return bad; // RACE
			} finally {
				read.unlock();
			}
		}
	}

	/* One half is exchanged for that of another lock. */
	public static class Exchanged {
		private final ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
		private Lock read = rw.readLock();
		private int bad;

		public void set(int x) {
			rw.writeLock().lock();
			bad = x; // RACE possible
			rw.writeLock().unlock();
		}

		public synchronized void exchange() {
			read = new ReentrantReadWriteLock().readLock();
		}

		public synchronized int get() {
			read.lock();
			try {
				return bad; // RACE possible
			} finally {
				read.unlock();
			}
		}
	}
}

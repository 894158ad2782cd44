/* A write under the read lock, and under the write lock. */
import java.util.concurrent.locks.*;
public class ReadWriteLocks {
	static int bad, good;
	static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			lock.readLock().lock();
			bad++; // RACE
			lock.readLock().unlock();
		});
		t.start();
		lock.readLock().lock();
		int x = bad; // RACE
		lock.readLock().unlock();
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			lock.writeLock().lock();
			good++; // NORACE
			lock.writeLock().unlock();
		});
		t.start();
		lock.readLock().lock();
		int x = good; // NORACE
		lock.readLock().unlock();
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

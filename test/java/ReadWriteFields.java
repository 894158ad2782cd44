/* Fields of one object under the two halves of its lock; one is written under the wrong half. */
import java.util.concurrent.locks.*;
public class ReadWriteFields {
	private final ReadWriteLock rw = new ReentrantReadWriteLock();
	private int good, bad;

	int get() {
		rw.readLock().lock();
		try {
			bad++; // RACE
			return good; // NORACE
		} finally {
			rw.readLock().unlock();
		}
	}

	void set(int x) {
		rw.writeLock().lock();
		try {
			good = x; // NORACE
		} finally {
			rw.writeLock().unlock();
		}
	}

	public static void main(String[] args) {
		ReadWriteFields f = new ReadWriteFields();
		new Thread(() -> { f.set(1); f.get(); }).start();
		f.set(2);
		System.out.println(f.get());
	}
}

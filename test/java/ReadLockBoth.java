/* Both only read under the read lock; one writes under none. */
import java.util.concurrent.locks.ReentrantReadWriteLock;
public class ReadLockBoth {
	static final ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
	static int good = 1, bad;

	static int read() {
		rw.readLock().lock();
		try {
			int x = good; // NORACE
			return x + bad; // RACE
		} finally {
			rw.readLock().unlock();
		}
	}

	public static void main(String[] args) {
		new Thread(() -> System.out.println(read())).start();
		bad = 1; // RACE
	}
}

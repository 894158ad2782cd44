/* A write lock that is downgraded to a read lock, and one that is dropped before the read. */
import java.util.concurrent.locks.ReentrantReadWriteLock;
public class ReadWriteDowngrade {
	static final ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
	static int good, bad;

	static int down() {
		rw.writeLock().lock();
		good++; // NORACE-LIKELY
		bad++; // RACE
		rw.readLock().lock();
		rw.writeLock().unlock();
		int x = good; // NORACE-LIKELY
		rw.readLock().unlock();
		return x + bad; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> System.out.println(down())).start();
		System.out.println(down());
	}
}

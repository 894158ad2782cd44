/* A stamped lock: written and read under it; an optimistic read races. */
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;
public class StampedOptimistic {
	static int bad, good;
	static final StampedLock lock = new StampedLock();

	public static void main(String[] args) {
		new Thread(() -> {
			long s = lock.writeLock();
			good++; // NORACE
			bad++; // RACE
			lock.unlockWrite(s);
		}).start();
		long s = lock.readLock();
		System.out.println(good); // NORACE
		lock.unlockRead(s);
		s = lock.tryOptimisticRead();
		System.out.println(bad); // RACE
		lock.validate(s);
	}
}

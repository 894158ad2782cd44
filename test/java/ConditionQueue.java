/* A bounded buffer with a condition, and a counter outside its lock. */
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;
public class ConditionQueue {
	static final ReentrantLock lock = new ReentrantLock();
	static final Condition some = lock.newCondition();
	static final int[] items = new int[8];
	static int count, bad;

	static void put(int x) {
		lock.lock();
		try {
			items[count++] = x; // NORACE
			some.signal();
		} finally {
			lock.unlock();
		}
		bad++; // RACE
	}

	static int take() throws InterruptedException {
		lock.lock();
		try {
			while (count == 0) // NORACE
				some.await();
			return items[--count]; // NORACE
		} finally {
			lock.unlock();
		}
	}

	public static void main(String[] args) throws Exception {
		new Thread(() -> put(1)).start();
		put(2);
		take();
	}
}

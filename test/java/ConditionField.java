/* Each queue has a lock and a condition of it: who returns from its await holds the lock that it
 * took by another name.  A queue that is read behind its unlock is not guarded. */
// FLAGS: --contexts none
import java.util.concurrent.locks.*;
public class ConditionField {
	static class Lock extends ReentrantLock {
		Lock(boolean fair) {
			super(fair);
		}
	}

	static class Queue {
		private final Lock lock;
		private final Condition filled;
		private int count, last;

		Queue(Lock own) {
			lock = own;
			filled = lock.newCondition();
		}

		void put(int x) {
			lock.lock();
			try {
				count++; // NORACE
				last = x; // RACE
				filled.signal();
			} finally {
				lock.unlock();
			}
		}

		private Object unlink() {
			if (count == 0) // NORACE
				return null;
			count--; // NORACE
			return this;
		}

		int take(long nanos) throws InterruptedException {
			lock.lockInterruptibly();
			try {
				while (unlink() == null) {
					if (nanos <= 0)
						return 0;
					nanos = filled.awaitNanos(nanos);
				}
			} finally {
				lock.unlock();
			}
			return last; // RACE
		}
	}

	static void pair(Queue q) {
		new Thread(() -> q.put(1)).start();
		new Thread(() -> {
			try {
				System.out.println(q.take(5));
			} catch (InterruptedException e) {
				return;
			}
		}).start();
	}

	public static void main(String[] args) {
		for (int i = 0; i < 3; i++) {
			pair(new Queue(new Lock(false)));
			pair(new Queue(new Lock(true)));
		}
	}
}

/* A ring with ReentrantLock and two conditions; the count is peeked at without the lock. */
import java.util.concurrent.locks.*;
public class ConditionPeeked {
	final Lock lock = new ReentrantLock();
	final Condition notFull = lock.newCondition(), notEmpty = lock.newCondition();
	final int[] ring = new int[8];
	int head, tail, count, puts;
	void put(int v) throws InterruptedException {
		lock.lockInterruptibly();
		try {
			while (count == ring.length)
				notFull.await();
			ring[tail] = v; // NORACE
			tail = (tail + 1) % ring.length; // NORACE
			count++; // RACE
			puts++; // NORACE
			notEmpty.signal();
		} finally {
			lock.unlock();
		}
	}
	int take() throws InterruptedException {
		lock.lock();
		try {
			while (count == 0)
				notEmpty.await();
			int v = ring[head]; // NORACE
			head = (head + 1) % ring.length; // NORACE
			count--;
			notFull.signal();
			return v;
		} finally {
			lock.unlock();
		}
	}
	boolean isEmpty() {
		return count == 0; // RACE
	}
	public static void main(String[] args) throws Exception {
		ConditionPeeked b = new ConditionPeeked();
		Thread p = new Thread(() -> {
			try {
				for (int i = 0; i < 100; i++)
					b.put(i);
			} catch (InterruptedException e) {
			}
		});
		p.start();
		Thread c = new Thread(() -> {
			try {
				while (!b.isEmpty())
					b.take();
			} catch (InterruptedException e) {
			}
		});
		c.start();
		p.join();
		c.join();
		System.out.println(b.puts); // NORACE
	}
}

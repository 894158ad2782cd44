/* a pool's close flag and its list under different locks. */
import java.util.*;
public class PoolEvictor {
	static class Evictor implements Runnable {
		final Pool pool;
		Evictor(Pool p) {
			pool = p;
		}
		public void run() {
			while (!pool.isClosed())
				pool.evict();
		}
	}
	static class Pool {
		private final LinkedList<Object> idle = new LinkedList<>();
		private boolean closed;
		private int numActive, maxIdle = 8;
		private final Object evictLock = new Object();
		boolean isClosed() {
			return closed; // RACE
		}
		synchronized void close() {
			closed = true; // RACE
			idle.clear(); // RACE
		}
		synchronized Object borrow() {
			numActive++; // NORACE
			return idle.isEmpty() ? new Object() : idle.removeLast(); // RACE
		}
		synchronized void giveBack(Object o) {
			numActive--; // NORACE
			if (idle.size() < maxIdle) // RACE
				idle.addLast(o); // RACE
		}
		void setMaxIdle(int n) {
			maxIdle = n; // RACE
		}
		void evict() {
			synchronized (evictLock) {
				if (!idle.isEmpty()) // RACE
					idle.removeFirst(); // RACE
			}
		}
	}
	public static void main(String[] args) {
		Pool p = new Pool();
		new Thread(new Evictor(p)).start();
		for (int i = 0; i < 3; i++)
			new Thread(() -> p.giveBack(p.borrow())).start();
		p.setMaxIdle(3);
		p.close();
	}
}

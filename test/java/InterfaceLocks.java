/* Three implementations of an interface: a monitor, a lock, and nothing. */
import java.util.concurrent.locks.ReentrantLock;
public class InterfaceLocks {
	interface Counter {
		void add();
	}
	static class Sync implements Counter {
		private int n;
		public synchronized void add() {
			n++; // NORACE
		}
	}
	static class Locked implements Counter {
		private final ReentrantLock lock = new ReentrantLock();
		private int n;
		public void add() {
			lock.lock();
			try {
				n++; // NORACE
			} finally {
				lock.unlock();
			}
		}
	}
	static class Plain implements Counter {
		private int n;
		public void add() {
			n++; // RACE
		}
	}

	public static void main(String[] args) {
		Counter[] all = {new Sync(), new Locked(), new Plain()};
		Runnable r = () -> {
			for (Counter c : all)
				c.add();
		};
		new Thread(r).start();
		new Thread(r).start();
	}
}

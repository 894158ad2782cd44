/* A lock in a superclass guards the fields of a subclass. */
public class LockInSuper {
	static class Base {
		private final Object lock = new Object();

		void locked(Runnable r) {
			synchronized (lock) {
				r.run();
			}
		}
	}

	static class Counter extends Base {
		int good, bad;

		void add() {
			locked(() -> good++); // NORACE-LIKELY
			bad++; // RACE
		}
	}

	static final Counter c = new Counter();

	static void work() {
		c.add();
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

/* A synchronized method excludes the others of its object only. */
public class SyncMethod {
	static class Counter {
		int bad, good;

		synchronized void add() {
			bad++; // RACE
			good++; // NORACE
		}

		void reset() {
			bad = 0; // RACE
		}

		synchronized void clear() {
			good = 0; // NORACE
		}
	}

	public static void main(String[] args) {
		Counter c = new Counter();
		new Thread(() -> c.add()).start();
		c.reset();
		c.clear();
	}
}

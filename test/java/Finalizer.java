/* A finalizer runs beside all other threads: what it shares with them races, its object does not. */
public class Finalizer {
	static int alive, closed;
	static final Object lock = new Object();

	static class Handle {
		int open;

		Handle() {
			alive++; // RACE
			open = 1; // NORACE-LIKELY
			synchronized (lock) {
				closed--; // NORACE
			}
		}

		void use() {
			open++; // NORACE-LIKELY
		}

		protected void finalize() {
			if (open > 0) // NORACE-LIKELY
				open = 0; // NORACE-LIKELY
			alive--; // RACE
			synchronized (lock) {
				closed++; // NORACE
			}
		}
	}

	public static void main(String[] args) {
		for (int i = 0; i < 100; i++)
			new Handle().use();
		System.gc();
		System.out.println(alive); // RACE
	}
}

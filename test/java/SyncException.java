/* A monitor is released on the way of an exception, and held until then. */
public class SyncException {
	static int bad, good;
	static final Object lock = new Object();

	static void work(boolean fail) {
		synchronized (lock) {
			if (fail)
				throw new IllegalStateException();
			good++; // NORACE
		}
	}

	static void run(boolean fail) {
		try {
			work(fail);
		} catch (IllegalStateException e) {
			bad++; // RACE
		}
	}

	public static void main(String[] args) {
		new Thread(() -> run(args.length > 0)).start();
		run(args.length > 1);
	}
}

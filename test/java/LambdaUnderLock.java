/* A lambda that is called under a lock, and one that is called without. */
public class LambdaUnderLock {
	static int bad, good;
	static final Object lock = new Object();

	static void guarded(Runnable r) {
		synchronized (lock) {
			r.run();
		}
	}

	static void plain(Runnable r) {
		r.run();
	}

	static void work() {
		guarded(() -> good++); // NORACE
		plain(() -> bad++); // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

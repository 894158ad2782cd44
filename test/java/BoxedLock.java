/* A lock on a boxed number that the increment replaces. */
public class BoxedLock {
	static Integer count = 0;
	static int bad, good;
	static final Object lock = new Object();

	static void work() {
		synchronized (count) { // RACE
			bad++; // RACE
			count++; // RACE
		}
		synchronized (lock) {
			good++; // NORACE
		}
	}

	public static void main(String[] args) {
		new Thread(BoxedLock::work).start();
		work();
	}
}

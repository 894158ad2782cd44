/* A lock in a field that is replaced does not exclude; one that stays does. */
public class ReassignedLock {
	static Object lock = new Object();
	static final Object fixed = new Object();
	static int bad, good;

	static void work() {
		synchronized (lock) { // RACE
			bad++; // RACE
			lock = new Object(); // RACE
		}
		synchronized (fixed) {
			good++; // NORACE
		}
	}

	public static void main(String[] args) {
		new Thread(ReassignedLock::work).start();
		work();
	}
}

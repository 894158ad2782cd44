/* A lock that is taken on every branch, and on one only. */
public class BranchLock {
	static final Object lock = new Object();
	static int good, bad;

	static void work(boolean b) {
		synchronized (lock) {
			good++; // NORACE
		}
		if (b) {
			synchronized (lock) {
				bad++; // RACE
			}
		} else {
			bad++; // RACE
		}
	}

	public static void main(String[] args) {
		new Thread(() -> work(args.length > 0)).start();
		work(args.length > 1);
	}
}

/* One lock by two names, and two locks by one. */
public class LockAliased {
	static final Object a = new Object();
	static final Object b = a;
	static int good, bad;

	static void with(Object lock) {
		synchronized (lock) {
			bad++; // RACE
		}
	}

	public static void main(String[] args) {
		new Thread(() -> {
			synchronized (a) {
				good++; // NORACE
			}
			with(new Object());
		}).start();
		synchronized (b) {
			good++; // NORACE
		}
		with(new Object());
	}
}

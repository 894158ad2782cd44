/* Two locks, one inside the other: each guards only what all hold it for. */
public class NestedLocks {
	static final Object outer = new Object(), inner = new Object();
	static int good, bad;

	public static void main(String[] args) {
		new Thread(() -> {
			synchronized (outer) {
				synchronized (inner) {
					good++; // NORACE
				}
				bad++; // RACE
			}
		}).start();
		synchronized (inner) {
			good++; // NORACE
			bad++; // RACE
		}
	}
}

/* An object that is published through a synchronized getter and setter, and one that is not. */
public class SynchronizedGetter {
	int before, behind;
	private static SynchronizedGetter it;

	static synchronized SynchronizedGetter get() {
		return it; // NORACE
	}

	static synchronized void set(SynchronizedGetter x) {
		it = x; // NORACE
	}

	public static void main(String[] args) {
		new Thread(() -> {
			SynchronizedGetter x = new SynchronizedGetter();
			x.before = 1; // NORACE
			set(x);
			x.behind = 1; // RACE
		}).start();
		SynchronizedGetter y = get();
		if (y != null) {
			System.out.println(y.before); // NORACE
			System.out.println(y.behind); // RACE
		}
	}
}

/* A singleton that is made under the class's lock, and one that is made under none. */
public class LazySynchronized {
	private static LazySynchronized good, bad;
	int x;

	LazySynchronized() {
		x = 1;
	}

	static synchronized LazySynchronized good() {
		if (good == null) // NORACE
			good = new LazySynchronized(); // NORACE
		return good;
	}

	static LazySynchronized bad() {
		if (bad == null) // RACE
			bad = new LazySynchronized(); // RACE
		return bad;
	}

	public static void main(String[] args) {
		new Thread(() -> System.out.println(good().x + bad().x)).start();
		System.out.println(good().x + bad().x);
	}
}

/* Data behind a volatile flag, and behind a plain one. */
public class VolatileFlag {
	static int good, bad;
	static volatile boolean ready;
	static boolean plain;

	public static void main(String[] args) {
		new Thread(() -> {
			good = 1; // NORACE-LIKELY
			ready = true; // NORACE
			bad = 1; // RACE possible
			plain = true; // RACE
		}).start();
		while (!ready) // NORACE
			Thread.onSpinWait();
		System.out.println(good); // NORACE-LIKELY
		if (plain) // RACE
			System.out.println(bad); // RACE possible
	}
}

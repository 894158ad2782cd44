/* An object handed over through a plain or a volatile field. */
public class VolatilePublish {
	static class Box {
		int bad, good;
	}

	static Box plain;
	static volatile Box handed;

	static void racy() {
		new Thread(() -> {
			Box b = new Box();
			b.bad = 1; // RACE possible
			plain = b; // RACE
		}).start();
		Box b = plain; // RACE
		if (b != null)
			b.bad++; // RACE possible
	}

	static void fixed() {
		new Thread(() -> {
			Box b = new Box();
			b.good = 1; // NORACE
			handed = b; // NORACE
		}).start();
		Box b = handed; // NORACE
		if (b != null)
			System.out.println(b.good); // NORACE
	}

	public static void main(String[] args) {
		racy();
		fixed();
	}
}

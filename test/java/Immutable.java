/* An immutable object behind a racy field is whole; a mutable one is not. */
public class Immutable {
	static final class Pair {
		final int a;
		int b;

		Pair(int a, int b) {
			this.a = a; // NORACE
			this.b = b; // RACE possible
		}
	}

	static Pair current = new Pair(0, 0);

	public static void main(String[] args) {
		new Thread(() -> {
			current = new Pair(1, 1); // RACE
		}).start();
		Pair p = current; // RACE
		System.out.println(p.a); // NORACE
		System.out.println(p.b); // RACE possible
	}
}

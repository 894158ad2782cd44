/* What a lambda captures: an array that both use, and one that is copied before. */
public class Captured {
	public static void main(String[] args) {
		int[] shared = new int[1];
		int[] own = new int[1];
		new Thread(() -> {
			shared[0]++; // RACE
		}).start();
		shared[0]++; // RACE
		own[0]++; // NORACE
	}
}

/* Elements of one array, by two threads, and of two arrays. */
public class ArrayElements {
	static int[] bad = new int[8];

	static void fill(int[] a) {
		a[0] = 1; // RACE
	}

	static void own(int[] a) {
		a[0] = 1; // NORACE
	}

	public static void main(String[] args) {
		new Thread(() -> {
			fill(bad);
			own(new int[2]);
		}).start();
		fill(bad);
		own(new int[2]);
	}
}

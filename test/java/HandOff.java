/* A worker hands its result over through a synchronized box; what it keeps using races. */
public class HandOff {
	static class Box {
		private int[] item;

		synchronized void put(int[] x) {
			item = x; // NORACE
		}

		synchronized int[] take() {
			int[] x = item; // NORACE
			item = null; // NORACE
			return x;
		}
	}
	static int late;

	public static void main(String[] args) {
		Box box = new Box();
		new Thread(() -> {
			int[] a = new int[1];
			a[0] = 1; // NORACE
			box.put(a);
			late = 1; // RACE
		}).start();
		int[] b = box.take();
		if (b != null)
			System.out.println(b[0]); // NORACE
		System.out.println(late); // RACE
	}
}

/* A final field of an object that leaked from its constructor. */
public class FinalLeaked {
	static class Point {
		final int x;

		Point(int v) {
			shared = this; // RACE
			x = v; // RACE possible
		}
	}

	static Point shared;

	public static void main(String[] args) {
		new Thread(() -> new Point(1)).start();
		Point p = shared; // RACE
		if (p != null)
			System.out.println(p.x); // RACE possible
	}
}

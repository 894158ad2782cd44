/* A final field is seen through a racy reference, another is not. */
public class FinalField {
	static class Point {
		final int x;
		int y;

		Point(int v) {
			x = v; // NORACE
			y = v; // RACE possible
		}
	}

	static Point shared;

	public static void main(String[] args) {
		new Thread(() -> {
			shared = new Point(1); // RACE
		}).start();
		Point p = shared; // RACE
		if (p != null)
			System.out.println(p.x + p.y); // RACE possible
	}
}

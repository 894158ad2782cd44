/* A builder whose result is immutable: each thread its own, and one that two threads fill. */
public class BuilderShared {
	static final class Point {
		final int x, y;

		Point(int x, int y) {
			this.x = x;
			this.y = y;
		}
	}
	static class Maker {
		int x, y;

		Maker x(int v) {
			x = v; // RACE
			return this;
		}

		Point make() {
			return new Point(x, // RACE
					 y);
		}
	}

	public static void main(String[] args) {
		Maker shared = new Maker();
		new Thread(() -> System.out.println(shared.x(1).make().x)).start(); // NORACE
		System.out.println(shared.x(2).make().x); // NORACE
	}
}

/* A static helper makes a box, fills a part of it by the box's methods, and returns it: its own until then, though the part has a finalizer, and the
 * helper is called for several owners, which makes several boxes of one allocation.  Not so if the box was given away first. */
// FLAGS: --k 1 --open OwnParts.Owner --open OwnParts.Other
import java.util.ArrayList;

public class OwnParts {
	static final ArrayList<Box> all = new ArrayList<>();

	static class Part {
		int n, given;

		void fill(int v) {
			n = v; // NORACE-LIKELY
		}

		void give(int v) {
			given = v; // RACE
		}

		protected void finalize() {
			System.out.println(n);
		}
	}

	static class Box {
		private final Part part;

		Box() {
			part = new Part();
		}

		void fill(int v) {
			part.fill(v);
		}

		void give(int v) {
			part.give(v);
		}

		int sum() {
			return part.n + part.given;
		}
	}

	static Box make(int v) {
		Box b = new Box();
		b.fill(v);
		synchronized (all) {
			all.add(b);
		}
		b.give(v);
		return b;
	}

	static int sum() {
		synchronized (all) {
			return all.get(0).sum();
		}
	}

	public static class Owner {
		public Object box() {
			return make(1);
		}

		public int get() {
			return sum();
		}
	}

	public static class Other {
		public Object box() {
			return make(2);
		}
	}
}

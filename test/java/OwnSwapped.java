/* Each thread makes a box and keeps in it what it made, until boxes change parts with one another: by fields, by elements
 * and by a copy of an array.  What a getter gives of another's box was never one's own. */
public class OwnSwapped {
	static class Part {
		int n, m, k;
	}

	static class Box {
		final Part part = new Part();
		Part swapped = new Part();
		final Part[] list = {new Part()};
	}

	static Box first, second;
	static final Object lock = new Object();

	static void exchange(Box mine) {
		synchronized (lock) {
			if (first == null) {
				first = mine;
				return;
			}
			Part p = first.swapped;
			first.swapped = mine.swapped;
			mine.swapped = p;
			System.arraycopy(first.list, 0, mine.list, 0, 1);
		}
	}

	static Part part(Box b) {
		return b.part;
	}

	static class Worker extends Thread {
		@Override
		public void run() {
			Box mine = new Box(), other;

			synchronized (lock) {
				second = mine;
			}
			mine.part.n++; // RACE
			exchange(mine);
			mine.swapped.m++; // RACE
			mine.list[0].k++; // RACE
			synchronized (lock) {
				other = second;
			}
			part(other).n++; // RACE
		}
	}

	public static void main(String[] args) {
		new Worker().start();
		new Worker().start();
	}
}

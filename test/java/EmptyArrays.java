/* Lists share one array until they get their first element: what is in one list is not in
 * another for that.  A clone of an array that may be empty has the elements of the others. */
import java.util.ArrayList;
import java.util.List;
public class EmptyArrays {
	static class Box {
		int own, shared, cloned;
	}

	static final Box[] none = new Box[0];

	static class Left extends Thread {
		final List<Box> list = new ArrayList<>();

		public void run() {
			list.add(new Box());
			list.get(0).own++; // NORACE
		}
	}

	static class Right extends Thread {
		final List<Box> list = new ArrayList<>();
		final List<Box> both;

		Right(List<Box> both) {
			this.both = both;
		}

		public void run() {
			list.add(new Box());
			list.get(0).own++; // NORACE
			both.get(0).shared++; // RACE
		}
	}

	static Box[] copy(Box[] of) {
		return of.clone();
	}

	public static void main(String[] args) {
		List<Box> both = new ArrayList<>();
		both.add(new Box());
		Box[] some = {new Box()};
		copy(none);
		new Left().start();
		new Right(both).start();
		new Thread(() -> copy(some)[0].cloned++).start(); // RACE
		both.get(0).shared++; // RACE
		copy(some)[0].cloned++; // RACE
	}
}

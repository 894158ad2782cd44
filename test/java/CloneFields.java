/* A clone has what the fields of its original held: the object that both lead to is
 * shared, what one of them was given later is not. */
public class CloneFields {
	static class Count {
		int n;
	}

	static class Box implements Cloneable {
		Count count = new Count();

		@Override
		public Box clone() {
			try {
				return (Box) super.clone();
			} catch (CloneNotSupportedException e) {
				return null;
			}
		}
	}

	public static void main(String[] args) {
		Box kept = new Box(), copy = kept.clone();
		Box other = new Box(), changed = other.clone();
		Count own = new Count();

		changed.count = null;
		Thread t = new Thread(() -> {
			copy.count.n++; // RACE
			own.n++; // NORACE
		});
		t.start();
		kept.count.n++; // RACE
		new Count().n++; // NORACE
	}
}

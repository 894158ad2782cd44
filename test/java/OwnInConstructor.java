/* A constructor makes and publishes another object of its own allocation: its own is
 * still its own.  One that registers itself, or is put where others look, is not. */
public class OwnInConstructor {
	static final Object lock = new Object();
	static Part part;
	static Leaky leaky;
	static Linked linked;

	static class Part {
		int early, late;

		Part(int depth) {
			early = depth; // NORACE
			if (depth > 0) {
				Part other = make(depth - 1);
				synchronized (lock) {
					part = other;
				}
			}
			late = depth; // NORACE
		}

		static Part make(int depth) {
			return new Part(depth);
		}
	}

	static class Leaky {
		int early, late;

		Leaky(int depth) {
			early = depth; // NORACE
			if (depth > 0)
				keep(make(depth - 1), this);
			late = depth; // RACE
		}

		static Leaky make(int depth) {
			return new Leaky(depth);
		}

		static void keep(Leaky other, Leaky self) {
			synchronized (lock) {
				leaky = other.early > 7 ? other : self; // NORACE
			}
		}
	}

	static class Linked {
		int value;
		Linked next;

		static void add(int depth) {
			Linked n = new Linked();
			n.value = depth; // NORACE
			if (depth > 0)
				add(depth - 1);
			n.next = null; // NORACE
			synchronized (lock) {
				linked = n;
			}
			n.value = depth + 1; // RACE
		}
	}

	static void work() {
		Part p = Part.make(2);
		Leaky.make(2);
		Linked.add(2);
		synchronized (lock) {
			part = p;
			System.out.println(part.early + part.late); // NORACE
		}
		synchronized (lock) {
			if (leaky != null)
				System.out.println(leaky.late); // RACE
		}
		synchronized (lock) {
			System.out.println(linked.value); // RACE
			System.out.println(linked.next); // NORACE
		}
	}

	public static void main(String[] args) {
		new Thread(OwnInConstructor::work).start();
		work();
	}
}

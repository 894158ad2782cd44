/* Without contexts one setter serves boxes that nobody shares and boxes that are published
 * later: for all of them it comes first.  Where it is called after that, it does not. */
// FLAGS: --contexts none
public class OwnOrUnshared {
	static final Object lock = new Object();
	static Box shared;
	static Tin open;

	static class Box {
		int value;

		void set(int v) {
			value = v; // NORACE
		}
	}

	static class Tin {
		int value;

		void set(int v) {
			value = v; // RACE
		}
	}

	static int local(int v) {
		Box b = new Box();
		Tin t = new Tin();
		b.set(v);
		t.set(v);
		return b.value + t.value;
	}

	static void work() {
		Box b = new Box();
		Tin t = new Tin();
		b.set(local(1));
		synchronized (lock) {
			shared = b;
			open = t;
		}
		t.set(2);
		synchronized (lock) {
			System.out.println(shared.value); // NORACE
			System.out.println(open.value); // RACE
		}
	}

	public static void main(String[] args) {
		new Thread(OwnOrUnshared::work).start();
		work();
	}
}

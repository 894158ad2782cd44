/* A native method that is found by its receiver's class may do anything with
 * what it is given: also run it. */
public class NativeCallback {
	interface Source {
		void each(Runnable task);
	}

	static class Device implements Source {
		public native void each(Runnable task);
	}

	static class Quiet implements Source {
		public void each(Runnable task) {
		}
	}

	static int bad, good;

	static void use(Source s, Runnable task) {
		s.each(task);
	}

	public static void main(String[] args) {
		Source device = args.length > 0 ? new Device() : new Device() {};
		new Thread(() -> use(device, () -> {
			bad = 1; // RACE possible
		})).start();
		bad = 2; // RACE possible
		Quiet quiet = new Quiet();
		new Thread(() -> quiet.each(() -> {
			good = 1; // NORACE
		})).start();
		good = 2; // NORACE
	}
}

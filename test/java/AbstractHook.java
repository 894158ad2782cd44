/* A hook that subclasses fill in, called with the lock held or not. */
public class AbstractHook {
	static abstract class Base {
		final void run() {
			synchronized (this) {
				inside();
			}
			outside();
		}

		abstract void inside();

		abstract void outside();
	}

	static class Impl extends Base {
		int good, bad;

		void inside() {
			good++; // NORACE
		}

		void outside() {
			bad++; // RACE
		}
	}

	public static void main(String[] args) {
		Impl i = new Impl();
		new Thread(() -> i.run()).start();
		i.run();
	}
}

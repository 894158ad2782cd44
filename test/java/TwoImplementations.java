/* Two classes behind one interface: one locks, the other does not. */
public class TwoImplementations {
	interface Count {
		void add();
	}

	static class Safe implements Count {
		private int n;

		public synchronized void add() {
			n++; // NORACE
		}
	}

	static class Unsafe implements Count {
		private int n;

		public void add() {
			n++; // RACE
		}
	}

	static void both(Count c) {
		new Thread(() -> c.add()).start();
		c.add();
	}

	public static void main(String[] args) {
		both(new Safe());
		both(new Unsafe());
	}
}

/* An exception leaves a method that has waited at a barrier: whoever catches it is behind that. */
import java.util.concurrent.CyclicBarrier;

class ThrownBehindBarrier {
	static final CyclicBarrier racy = new CyclicBarrier(2), fixed = new CyclicBarrier(2);
	static int x, y;

	static void meetAndThrow() throws Exception {
		racy.await();
		throw new IllegalStateException();
	}

	static void meetInTime() throws Exception {
		fixed.await();
		throw new IllegalStateException();
	}

	static class Racy extends Thread {
		public void run() {
			try {
				meetAndThrow();
			} catch (Exception e) {
				x = 1; // RACE possible
			}
			try {
				racy.await();
			} catch (Exception e) {
			}
		}
	}

	static class Fixed extends Thread {
		public void run() {
			try {
				y = 1; // NORACE
				meetInTime();
			} catch (Exception e) {
			}
		}
	}

	public static void main(String[] args) throws Exception {
		new Racy().start();
		racy.await();
		x = 2; // RACE possible
		racy.await();
		new Fixed().start();
		fixed.await();
		y = 2; // NORACE
	}
}

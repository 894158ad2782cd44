/* A method gives a lock made of a flag back and throws: whoever catches that does not hold it any more. */
import java.util.concurrent.atomic.AtomicBoolean;

class ThrownBehindFlag {
	static final AtomicBoolean racy = new AtomicBoolean(), fixed = new AtomicBoolean();
	static int x, y;

	static void giveBack(AtomicBoolean busy) {
		busy.set(false);
		throw new IllegalStateException();
	}

	static class Racy extends Thread {
		public void run() {
			if (!racy.compareAndSet(false, true))
				return;
			try {
				giveBack(racy);
			} catch (IllegalStateException e) {
				x++; // RACE
			}
		}
	}

	static class Fixed extends Thread {
		public void run() {
			if (!fixed.compareAndSet(false, true))
				return;
			try {
				y++; // NORACE
				giveBack(fixed);
			} catch (IllegalStateException e) {
			}
		}
	}

	public static void main(String[] args) {
		new Racy().start();
		new Racy().start();
		new Fixed().start();
		new Fixed().start();
	}
}

/* A consumer that waits under the monitor, and reads behind it. */
public class WaitWithoutLoop {
	private int good, bad;
	private boolean ready;

	synchronized void produce() {
		good = 1; // NORACE
		ready = true; // NORACE
		notifyAll();
	}

	void consume() throws InterruptedException {
		synchronized (this) {
			while (!ready) // NORACE
				wait();
			System.out.println(good); // NORACE
		}
		bad++; // RACE
	}

	public static void main(String[] args) {
		WaitWithoutLoop w = new WaitWithoutLoop();
		Runnable c = () -> {
			try {
				w.consume();
			} catch (InterruptedException e) {
				return;
			}
		};
		new Thread(c).start();
		new Thread(c).start();
		w.produce();
	}
}

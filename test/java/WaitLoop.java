/* Data that is handed over by wait and notify under one monitor. */
public class WaitLoop {
	static final Object lock = new Object();
	static boolean ready;
	static int good, bad;

	public static void main(String[] args) throws Exception {
		new Thread(() -> {
			synchronized (lock) {
				good = 1; // NORACE
				ready = true; // NORACE
				lock.notifyAll();
			}
			bad = 1; // RACE
		}).start();
		synchronized (lock) {
			while (!ready) // NORACE
				lock.wait();
			System.out.println(good); // NORACE
		}
		bad = 2; // RACE
	}
}

/* wait and notify with the monitor of the object. */
public class WaitNotify {
	static int bad, good;
	static final Object lock = new Object();

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			bad = 1; // RACE possible
			synchronized (lock) {
				lock.notify();
			}
		});
		t.start();
		synchronized (lock) {
			lock.wait();
			bad = 2; // RACE possible
		}
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			synchronized (lock) {
				good = 1; // NORACE
				lock.notify();
			}
		});
		t.start();
		synchronized (lock) {
			while (good == 0) // NORACE
				lock.wait();
			good = 2; // NORACE
		}
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

/* wait on one object does not leave the monitor of another. */
public class NotifyOther {
	static final Object a = new Object(), b = new Object();
	static int good, bad;

	static void work() {
		synchronized (a) {
			good++; // NORACE
			synchronized (b) {
				try {
					b.wait(1);
				} catch (InterruptedException e) {
					return;
				}
			}
			good++; // NORACE
		}
		bad++; // RACE
	}

	public static void main(String[] args) {
		new Thread(NotifyOther::work).start();
		work();
	}
}

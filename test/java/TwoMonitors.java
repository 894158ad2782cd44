/* Two monitors that are not the same object. */
public class TwoMonitors {
	static int bad, good;
	static final Object a = new Object(), b = new Object();

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			synchronized (a) {
				bad++; // RACE
			}
		});
		t.start();
		synchronized (b) {
			bad++; // RACE
		}
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			synchronized (a) {
				good++; // NORACE
			}
		});
		t.start();
		synchronized (a) {
			good++; // NORACE
		}
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

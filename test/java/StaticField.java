/* A static field without a lock, and under one. */
public class StaticField {
	static int bad, good;
	static final Object lock = new Object();

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			bad++; // RACE
		});
		t.start();
		bad = 2; // RACE
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			synchronized (lock) {
				good++; // NORACE
			}
		});
		t.start();
		synchronized (lock) {
			good = 2; // NORACE
		}
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

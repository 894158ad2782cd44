/* A lock in a final field of the object guards its other fields; a local lock guards nothing. */
public class LockField {
	private final Object lock = new Object();
	int good, bad;

	void right() {
		synchronized (lock) {
			good++; // NORACE
		}
	}

	void wrong() {
		Object mine = new Object();
		synchronized (mine) {
			bad++; // RACE
		}
	}

	public static void main(String[] args) {
		LockField f = new LockField();
		new Thread(() -> {
			f.right();
			f.wrong();
		}).start();
		f.right();
		f.wrong();
	}
}

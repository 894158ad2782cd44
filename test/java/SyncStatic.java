/* A static synchronized method holds the class, not the object. */
public class SyncStatic {
	static int bad, good;

	static synchronized void add() {
		bad++; // RACE
		good++; // NORACE
	}

	synchronized void wrong() {
		bad++; // RACE
	}

	void right() {
		synchronized (SyncStatic.class) {
			good++; // NORACE
		}
	}

	public static void main(String[] args) {
		SyncStatic s = new SyncStatic();
		new Thread(() -> add()).start();
		s.wrong();
		s.right();
	}
}

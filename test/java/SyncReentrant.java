/* A synchronized method that calls another of its object still holds the monitor behind the call. */
public class SyncReentrant {
	int bad, good;

	synchronized void inner() {
		good++; // NORACE
	}

	synchronized void outer() {
		inner();
		good++; // NORACE
	}

	void leaves() {
		inner();
		bad++; // RACE
	}

	public static void main(String[] args) {
		SyncReentrant s = new SyncReentrant();
		new Thread(() -> {
			s.outer();
			s.leaves();
		}).start();
		s.outer();
		s.leaves();
	}
}

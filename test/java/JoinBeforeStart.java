/* A join before the start returns at once. */
public class JoinBeforeStart {
	static int bad, good;

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			bad = 1; // RACE
		});
		t.join();
		t.start();
		bad = 2; // RACE
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			good = 1; // NORACE
		});
		t.start();
		t.join();
		good = 2; // NORACE
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

/* A join with a timeout may return while the thread runs. */
public class JoinTimeout {
	static int bad, good;

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			bad = 1; // RACE
		});
		t.start();
		t.join(10);
		bad = 2; // RACE
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			good = 1; // NORACE
		});
		t.start();
		t.join();
		t.join(10);
		good = 2; // NORACE
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

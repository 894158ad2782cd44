/* A read before the join, and one behind it. */
public class JoinOrders {
	static int bad, good;

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			bad = 1; // RACE
		});
		t.start();
		int x = bad; // RACE
		t.join();
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			good = 1; // NORACE
		});
		t.start();
		t.join();
		int x = good; // NORACE
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

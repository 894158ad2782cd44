/* What comes before the start is ordered, what comes behind is not. */
public class StartOrders {
	static int bad, good = 1;

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			int x = bad; // RACE
		});
		t.start();
		bad = 1; // RACE
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			int x = good; // NORACE
		});
		t.start();
		int y = good; // NORACE
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

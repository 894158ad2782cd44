/* A join that is interrupted orders nothing, even where the exception is caught. */
public class JoinInterrupted {
	static int bad, good;

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			bad = 1; // RACE
		});
		t.start();
		Thread.currentThread().interrupt();
		try {
			t.join();
		} catch (InterruptedException e) {
			System.out.println(e);
		}
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

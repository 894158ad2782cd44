/* A thread that ends by an exception has ended for who joins it. */
public class Uncaught {
	static int bad, good;

	public static void main(String[] args) throws Exception {
		Thread t = new Thread(() -> {
			bad++; // RACE
			good++; // NORACE
			throw new IllegalStateException();
		});
		t.start();
		bad++; // RACE
		t.join();
		good++; // NORACE
	}
}

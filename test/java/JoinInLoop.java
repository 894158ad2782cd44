/* A thread that each round starts and joins, and one that it only starts. */
public class JoinInLoop {
	static int bad, good;

	public static void main(String[] args) throws Exception {
		for (int i = 0; i < 3; i++) {
			good = i; // NORACE
			Thread t = new Thread(() -> {
				good++; // NORACE
			});
			t.start();
			t.join();
		}
		for (int i = 0; i < 3; i++)
			new Thread(() -> {
				bad++; // RACE
			}).start();
	}
}

/* A field that is written before the threads start and only read then. */
public class ReadOnly {
	static int good, bad;

	public static void main(String[] args) {
		good = 1; // NORACE
		for (int i = 0; i < 2; i++)
			new Thread(() -> {
				System.out.println(good); // NORACE
				System.out.println(bad); // RACE
			}).start();
		bad = 1; // RACE
	}
}

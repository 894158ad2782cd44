/* What a static initialiser wrote is ordered before every use of its class. */
public class ClassInit {
	static int bad;

	static class Config {
		static int[] table = new int[4];
		static int size;

		static {
			table[0] = 7; // NORACE
			size = 4; // NORACE
			bad = 1; // RACE
		}
	}

	public static void main(String[] args) {
		new Thread(() -> System.out.println(Config.size + Config.table[0])).start(); // NORACE
		bad = 2; // RACE
		System.out.println(Config.size + Config.table[0]); // NORACE
	}
}

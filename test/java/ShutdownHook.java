/* A shutdown hook is a thread beside the others. */
public class ShutdownHook {
	static int bad, good;

	public static void main(String[] args) {
		good++; // NORACE
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			bad++; // RACE
			good++; // NORACE
		}));
		bad++; // RACE
	}
}

/* A stop flag: volatile, or not. */
public class VolatileStop {
	static volatile boolean good;
	static boolean bad;

	public static void main(String[] args) {
		new Thread(() -> {
			while (!good) // NORACE
				Thread.onSpinWait();
		}).start();
		new Thread(() -> {
			while (!bad) // RACE
				Thread.onSpinWait();
		}).start();
		good = true; // NORACE
		bad = true; // RACE
	}
}

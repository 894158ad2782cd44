/* A volatile flag that is set before the data orders nothing. */
public class VolatileWrongSide {
	static int bad;
	static volatile boolean ready;

	public static void main(String[] args) {
		new Thread(() -> {
			ready = true;
			bad = 1; // RACE
		}).start();
		if (ready)
			System.out.println(bad); // RACE
	}
}

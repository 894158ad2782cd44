/* A daemon thread runs beside main until the end. */
public class DaemonThread {
	static int bad;
	static int good;

	public static void main(String[] args) {
		good = 1; // NORACE
		Thread t = new Thread(() -> {
			for (;;)
				bad += good; // RACE
		});
		t.setDaemon(true);
		t.start();
		System.out.println(bad); // RACE
	}
}

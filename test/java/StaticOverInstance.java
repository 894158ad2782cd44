/* An instance's monitor does not guard a static field; the class's does. */
public class StaticOverInstance {
	static int bad, good;

	synchronized void racy() {
		bad++; // RACE
	}

	static synchronized void fixed() {
		good++; // NORACE
	}

	public static void main(String[] args) {
		new Thread(() -> {
			new StaticOverInstance().racy();
			fixed();
		}).start();
		new StaticOverInstance().racy();
		fixed();
	}
}

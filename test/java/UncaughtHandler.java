/* The handler of a thread's exception runs in that thread: who joined it comes later; others do not. */
public class UncaughtHandler {
	static int before, after, all;

	static class Own extends Thread {
		public void run() {
			throw new IllegalStateException();
		}
	}

	public static void main(String[] args) throws InterruptedException {
		Thread t = new Own();
		t.setUncaughtExceptionHandler((thread, e) -> {
			before++; // RACE
			after++; // NORACE
		});
		t.start();
		before++; // RACE
		t.join();
		after++; // NORACE
		Thread.setDefaultUncaughtExceptionHandler((thread, e) -> all++); // RACE
		new Own().start();
		new Own().start();
	}
}

/* A runnable shared by two threads, and one for each. */
public class RunnableClass {
	static class Task implements Runnable {
		int count;
		final boolean shared;

		Task(boolean s) {
			shared = s;
		}

		@Override
		public void run() {
			count++; // RACE
		}
	}

	static class Own implements Runnable {
		int count;

		@Override
		public void run() {
			count++; // NORACE
		}
	}

	public static void main(String[] args) {
		Task t = new Task(true);
		new Thread(t).start();
		new Thread(t).start();
		new Thread(new Own()).start();
		new Thread(new Own()).start();
	}
}

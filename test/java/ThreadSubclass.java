/* Threads made by subclassing: each with fields of its own, and a static one. */
public class ThreadSubclass {
	static int bad;

	static class Worker extends Thread {
		int good;

		@Override
		public void run() {
			good++; // NORACE
			bad++; // RACE
		}
	}

	public static void main(String[] args) {
		Worker a = new Worker(), b = new Worker();
		a.start();
		b.start();
	}
}

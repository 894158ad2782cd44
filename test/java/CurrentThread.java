/* State in a thread's own object, by way of the current thread; main looks at it too. */
public class CurrentThread {
	static class Worker extends Thread {
		int seen;

		public void run() {
			count();
		}
	}

	static void count() {
		Worker me = (Worker) Thread.currentThread();
		me.seen++; // RACE
	}

	public static void main(String[] args) {
		for (int i = 0; i < 2; i++) {
			Worker w = new Worker();
			w.start();
			System.out.println(w.seen); // RACE
		}
	}
}

/* Each worker is joined, then asked for its result, in one loop; another is asked before. */
public class JoinThenAsk {
	static class Worker extends Thread {
		private final int from, to;
		private long sum, early;

		Worker(int from, int to) {
			this.from = from;
			this.to = to;
		}

		public void run() {
			for (int i = from; i < to; i++)
				sum += i; // NORACE
			early = 1; // RACE
		}

		long sum() {
			return sum; // NORACE
		}

		long early() {
			return early; // RACE
		}
	}

	public static void main(String[] args) throws InterruptedException {
		Worker[] workers = new Worker[4];
		long total = 0;
		for (int i = 0; i < workers.length; i++)
			workers[i] = new Worker(i * 10, i * 10 + 10);
		for (Worker w : workers)
			w.start();
		for (Worker w : workers) {
			total += w.early();
			w.join();
			total += w.sum();
		}
		System.out.println(total);
	}
}

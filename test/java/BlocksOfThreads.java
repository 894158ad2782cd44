/* Threads that work on blocks of an array, by their number or by where their block begins. */
public class BlocksOfThreads {
	static final int THREADS = 4, SIZE = 400;
	static double[] blocks = new double[SIZE], lambda = new double[SIZE], wide = new double[SIZE], down = new double[SIZE];
	static double[] inner = new double[SIZE], cut = new double[SIZE], least = new double[SIZE], most = new double[SIZE], before = new double[SIZE];
	static final double[] sliced = new double[SIZE];

	static class Worker extends Thread {
		final int id;

		Worker(int id) {
			this.id = id;
		}

		public void run() {
			int lo = id * SIZE / THREADS, hi = (id + 1) * SIZE / THREADS;
			for (int i = lo; i < hi; i++)
				blocks[i] = i; // NORACE
			int slice = (SIZE + THREADS - 1) / THREADS, from = id * slice, to = from + slice;
			if (to > SIZE)
				to = SIZE;
			for (int i = from; i < to; i++)
				sliced[i] = i; // NORACE
			for (int i = lo; i <= hi; i++)
				wide[i] = i; // RACE
			for (int i = Math.max(lo, 1); i < Math.min(hi, SIZE - 1); i++)
				inner[i] = i; // NORACE
			int begin = lo < 1 ? 1 : lo;
			for (int i = begin; i < hi; i++)
				cut[i] = i; // NORACE
			for (int i = Math.min(lo, 1); i < hi; i++)
				least[i] = i; // RACE
			for (int i = lo; i < Math.max(hi, 3); i++)
				most[i] = i; // RACE
			for (int i = Math.max(lo - 1, 0); i < hi; i++)
				before[i] = i; // RACE
			int k = hi;
			while (k >= lo) {
				down[k] = k; // RACE
				k--;
			}
		}
	}

	public static void main(String[] args) throws Exception {
		Worker[] w = new Worker[THREADS];
		for (int i = 0; i < THREADS; i++) {
			w[i] = new Worker(i);
			w[i].start();
		}
		for (int i = 0; i < THREADS; i++)
			w[i].join();
		Thread[] t = new Thread[THREADS];
		for (int i = 0; i < THREADS; i++) {
			final int begin = i * 100;
			t[i] = new Thread(() -> {
				for (int j = begin; j < begin + 100; j++)
					lambda[j] = blocks[j]; // NORACE
			});
			t[i].start();
		}
		for (Thread x : t)
			x.join();
		System.out.println(lambda[0] + sliced[0] + wide[0] + down[0]); // NORACE
	}
}

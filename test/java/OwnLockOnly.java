/* Each worker locks itself, and all of them count in one object that they were given: that has no owner among them. What a worker
 * made for itself has. */
public class OwnLockOnly {
	static class Count {
		int n;
	}

	static class Worker extends Thread {
		final Count all, own = new Count();

		Worker(Count all) {
			this.all = all;
		}

		synchronized void work() {
			all.n++; // RACE
			own.n++; // NORACE-LIKELY
		}

		synchronized int done() {
			return own.n; // NORACE-LIKELY
		}

		public void run() {
			work();
		}
	}

	public static void main(String[] args) {
		Count all = new Count();
		Worker[] workers = new Worker[4];

		for (int i = 0; i < workers.length; i++) {
			workers[i] = new Worker(all);
			workers[i].start();
		}
		for (Worker w : workers)
			System.out.println(w.done());
	}
}

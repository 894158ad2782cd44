/* A pool of one's own class does something before and behind each task, in the thread that runs it. */
import java.util.concurrent.*;
public class PoolHooks {
	static class Job implements Runnable {
		int state;
		public void run() {
		}
	}

	static class Pool extends ThreadPoolExecutor {
		int begun, ended;
		final ThreadLocal<long[]> since = new ThreadLocal<>();

		Pool() {
			super(2, 4, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
		}

		@Override
		protected void beforeExecute(Thread t, Runnable r) {
			begun++; // RACE
			((Job) r).state = 1; // RACE
			since.set(new long[1]);
		}

		@Override
		protected void afterExecute(Runnable r, Throwable t) {
			since.get()[0]++; // NORACE
			synchronized (this) {
				ended++; // NORACE
			}
		}
	}

	public static void main(String[] args) {
		Pool pool = new Pool();
		Job job = new Job();
		pool.execute(job);
		pool.execute(new Job());
		System.out.println(job.state); // RACE
		synchronized (pool) {
			System.out.println(pool.ended); // NORACE
		}
	}
}

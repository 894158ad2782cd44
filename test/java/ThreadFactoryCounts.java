/* Who submits a task may make a thread for it: a factory's counter is shared by all who do. */
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class ThreadFactoryCounts {
	static int plain, refused, around;
	static final AtomicInteger counted = new AtomicInteger();

	static class Counting implements ThreadFactory {
		public Thread newThread(Runnable r) {
			plain++; // RACE
			counted.incrementAndGet(); // NORACE
			return new Thread(() -> {
				around++; // RACE
				r.run();
			});
		}
	}

	public static void main(String[] args) {
		ExecutorService pool = Executors.newFixedThreadPool(4, new Counting());
		ThreadPoolExecutor small = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
			new ArrayBlockingQueue<>(1), (r, e) -> refused++); // RACE
		Runnable give = () -> {
			pool.submit(() -> { });
			small.execute(() -> { });
		};
		new Thread(give).start();
		new Thread(give).start();
	}
}

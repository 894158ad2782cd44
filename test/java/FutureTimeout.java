/* get with a timeout that is caught: the task may still run. */
import java.util.concurrent.*;
public class FutureTimeout {
	static int bad;

	public static void main(String[] args) throws Exception {
		ExecutorService pool = Executors.newCachedThreadPool();
		Future<?> f = pool.submit(() -> { bad = 1; }); // RACE possible
		try {
			f.get(1, TimeUnit.SECONDS);
		} catch (TimeoutException e) {
			System.out.println("late");
		}
		bad = 2; // RACE possible
		pool.shutdown();
	}
}

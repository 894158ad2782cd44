/* A task of an executor, and what its future's get orders. */
// BODIES: java.util.concurrent.FutureTask java.util.concurrent.AbstractExecutorService
import java.util.concurrent.*;
public class Submit {
	static int bad, good;

	public static void main(String[] args) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		Future<?> f = pool.submit(() -> {
			bad = 1; // RACE
		});
		bad = 2; // RACE
		Future<?> g = pool.submit(() -> {
			good = 1; // NORACE
		});
		g.get();
		good = 2; // NORACE
		pool.shutdown();
	}
}

/* A future's get orders the task before what follows; isDone and cancel do not. */
import java.util.concurrent.*;
public class FutureOrder {
	static int good, bad;

	public static void main(String[] args) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		Future<?> a = pool.submit(() -> { good = 1; }); // NORACE
		Future<?> b = pool.submit(() -> { bad = 1; }); // RACE
		a.get();
		good = 2; // NORACE
		b.isDone();
		bad = 2; // RACE
		pool.shutdown();
	}
}

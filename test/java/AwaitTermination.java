/* awaitTermination may return before the tasks have ended. */
import java.util.concurrent.*;
public class AwaitTermination {
	static int bad;

	public static void main(String[] args) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		pool.execute(() -> bad = 1); // RACE possible
		pool.shutdown();
		pool.awaitTermination(1, TimeUnit.SECONDS);
		bad = 2; // RACE possible
	}
}

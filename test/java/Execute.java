/* Two tasks of one executor that share a field, under a lock and without. */
// BODIES: java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.*;
public class Execute {
	static int bad, good;

	public static void main(String[] args) {
		ExecutorService pool = Executors.newCachedThreadPool();
		pool.execute(() -> {
			bad++; // RACE
			synchronized (pool) {
				good++; // NORACE
			}
		});
		pool.execute(() -> {
			bad++; // RACE
			synchronized (pool) {
				good++; // NORACE
			}
		});
	}
}

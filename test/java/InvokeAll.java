/* invokeAll waits for all its tasks; they run beside each other. */
import java.util.*;
import java.util.concurrent.*;
public class InvokeAll {
	static int bad, after;

	public static void main(String[] args) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		List<Callable<Integer>> tasks = new ArrayList<>();
		for (int i = 0; i < 2; i++)
			tasks.add(() -> {
				after = 1; // RACE possible
				return bad++; // RACE possible
			});
		pool.invokeAll(tasks);
		pool.shutdown();
	}
}

/* Futures that are waited for in a loop, where threads are interrupted: who does not catch that has them all. */
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class InvokeAllInterrupted {
	static int[] good = new int[10], bad = new int[10];

	public static void main(String[] args) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(4);
		List<Callable<Integer>> tasks = new ArrayList<>();
		List<Future<Integer>> kept = new ArrayList<>();
		for (int k = 0; k < 4; k++) {
			int n = k;
			tasks.add(() -> good[n]); // NORACE-LIKELY
			kept.add(pool.submit(() -> bad[n])); // RACE
		}
		int sum = 0;
		for (Future<Integer> f : pool.invokeAll(tasks))
			sum += f.get();
		good[0] = sum; // NORACE-LIKELY
		try {
			for (Future<Integer> f : kept)
				sum += f.get();
		} catch (InterruptedException e) {
			sum = 0;
		}
		bad[0] = sum; // RACE
		Thread.currentThread().interrupt();
	}
}

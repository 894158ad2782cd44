/* Each task of a loop has an element for itself; tasks of a second loop share one with a neighbour. */
import java.util.*;
import java.util.concurrent.*;

public class FutureSlots {
	public static void main(String[] args) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(4);
		double[] own = new double[8], next = new double[9];
		List<Future<?>> all = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			int id = i;
			all.add(pool.submit(() -> {
				own[id] = Math.sqrt(id); // NORACE-LIKELY
			}));
		}
		for (int i = 0; i < 8; i++) {
			int id = i;
			all.add(pool.submit(() -> {
				next[id] = next[id + 1]; // RACE
			}));
		}
		for (Future<?> f : all)
			f.get();
		pool.shutdown();
		double sum = 0;
		for (double d : own) // NORACE-LIKELY
			sum += d;
		System.out.println(sum);
	}
}

/* A small main program that the JDK stands behind: threads, an executor, collections,
 * text, streams.  tools/bench-java measures it; its one race is on `finished`. */
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class Small {
	private final Map<String, List<Integer>> rows = new HashMap<>();
	private final Map<String, Integer> sums = new ConcurrentHashMap<>();
	private int finished;

	private synchronized void fill(int n) {
		IntStream.range(0, n).forEach(
		    i -> rows.computeIfAbsent(String.format("row %d", i % 7), k -> new ArrayList<>()).add(i));
	}

	private synchronized List<String> names() {
		return rows.keySet().stream().sorted().collect(Collectors.toList());
	}

	private void sum(String name) {
		synchronized (this) {
			sums.put(name, rows.get(name).stream().mapToInt(Integer::intValue).sum());
		}
		finished++;
	}

	public static void main(String[] args) throws InterruptedException {
		Small small = new Small();
		ExecutorService pool = Executors.newFixedThreadPool(4);
		Thread filler = new Thread(() -> small.fill(100));

		filler.start();
		filler.join();
		for (String name : small.names())
			pool.submit(() -> small.sum(name));
		pool.shutdown();
		pool.awaitTermination(1, TimeUnit.SECONDS);
		System.out.println(String.format("%d of %s", small.finished, small.sums));
	}
}

/* Each way to hand a task to a pool runs it: through the interface, in bulk, adapted, or as what completes a future. */
import java.util.*;
import java.util.concurrent.*;
public class ExecutorWays {
	static int a, b, c, d, e, f, g, h, i, j, k, l;

	static void count(int n) {
		System.out.println(n);
	}

	public static void main(String[] args) throws Exception {
		ExecutorService steal = Executors.newWorkStealingPool();
		Future<Integer> one = steal.submit(() -> a++); // RACE
		a = 1; // RACE
		steal.submit(() -> count(b++)); // RACE
		b = 1; // RACE
		steal.submit(() -> count(c++), "done"); // RACE
		c = 1; // RACE
		ForkJoinPool pool = new ForkJoinPool(4);
		List<Callable<Integer>> tasks = new ArrayList<>();
		tasks.add(() -> d++); // RACE
		tasks.add(() -> d++); // RACE
		for (Future<Integer> x : pool.invokeAll(tasks))
			count(x.get());
		count(d); // NORACE-LIKELY
		List<Callable<Integer>> single = new ArrayList<>();
		single.add(() -> e++); // NORACE
		single.add(() -> e++); // NORACE
		Executors.newSingleThreadExecutor().invokeAll(single);
		List<Callable<Integer>> any = new ArrayList<>();
		any.add(() -> f++); // RACE
		any.add(() -> f++); // RACE
		count(steal.invokeAny(any));
		ForkJoinTask<?> adapted = ForkJoinTask.adapt(() -> count(g++)); // RACE
		adapted.fork();
		g = 1; // RACE
		adapted.join();
		ForkJoinTask<Integer> called = ForkJoinTask.adapt(() -> h++); // NORACE
		called.fork();
		count(called.join());
		h = 1; // NORACE
		CompletableFuture<Integer> later = new CompletableFuture<>();
		later.completeAsync(() -> i++); // RACE
		i = 1; // RACE
		Executors.unconfigurableExecutorService(steal).submit(() -> count(j++)); // RACE
		j = 1; // RACE
		pool.submit(() -> count(k++), 3).get(); // NORACE
		k = 1; // NORACE
		ExecutorService cached = Executors.newCachedThreadPool();
		List<Callable<Integer>> many = new ArrayList<>();
		many.add(() -> l++); // RACE
		many.add(() -> l++); // RACE
		cached.invokeAll(many);
		count(l); // NORACE-LIKELY
	}
}

/* A future that somebody else completes, or that times out, lets those go on that wait for it, while
 * its own task may still run. */
import java.util.concurrent.*;
public class CompletedEarly {
	static int byOther, byTime, byDefault, cancelled, waited, task, whole;

	static class Work extends RecursiveAction {
		protected void compute() {
			task = 1; // RACE possible
		}
	}

	static class Whole extends RecursiveAction {
		protected void compute() {
			whole = 1; // NORACE
		}
	}

	public static void main(String[] args) throws Exception {
		CompletableFuture<Integer> f = CompletableFuture.supplyAsync(() -> {
			byOther = 1; // RACE possible
			return 1;
		});
		new Thread(() -> f.complete(0)).start();
		f.join();
		System.out.println(byOther); // RACE possible

		CompletableFuture<Void> t = CompletableFuture.runAsync(() -> {
			byTime = 1; // RACE possible
		});
		try {
			t.orTimeout(1, TimeUnit.MILLISECONDS).join();
		} catch (CompletionException e) {
		}
		System.out.println(byTime); // RACE possible

		CompletableFuture<Integer> d = CompletableFuture.supplyAsync(() -> {
			byDefault = 1; // RACE possible
			return 1;
		}).completeOnTimeout(2, 1, TimeUnit.MILLISECONDS);
		d.get();
		System.out.println(byDefault); // RACE possible

		CompletableFuture<Void> c = CompletableFuture.runAsync(() -> {
			cancelled = 1; // RACE possible
		});
		c.cancel(true);
		try {
			c.join();
		} catch (CancellationException e) {
		}
		System.out.println(cancelled); // RACE possible

		CompletableFuture<Void> w = CompletableFuture.runAsync(() -> {
			waited = 1; // NORACE
		});
		w.join();
		System.out.println(waited); // NORACE

		Work work = new Work();
		work.fork();
		work.completeExceptionally(new Exception());
		work.quietlyJoin();
		System.out.println(task); // RACE possible

		Whole all = new Whole();
		all.fork();
		all.join();
		System.out.println(whole); // NORACE
	}
}

/* Tasks that a pool is given, and collections and arrays of tasks, run; who invokes them waits for all. */
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;

public class ForkJoinSubmitted {
	static int listed, arrayed, given, guarded;

	static class Listed extends RecursiveAction {
		protected void compute() {
			listed++; // RACE
			synchronized (ForkJoinSubmitted.class) {
				guarded++; // NORACE-LIKELY
			}
		}
	}

	static class Arrayed extends RecursiveAction {
		protected void compute() {
			arrayed++; // RACE
		}
	}

	static class Given extends RecursiveAction {
		protected void compute() {
			given++; // RACE
		}
	}

	public static void main(String[] args) {
		ForkJoinPool pool = new ForkJoinPool();
		List<Listed> list = new ArrayList<>();
		for (int i = 0; i < 3; i++)
			list.add(new Listed());
		ForkJoinTask.invokeAll(list);
		System.out.println(guarded); // NORACE-LIKELY
		ForkJoinTask.invokeAll(new Arrayed(), new Arrayed(), new Arrayed());
		pool.submit(new Given());
		pool.execute(new Given());
	}
}

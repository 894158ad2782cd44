/* A forked task that is joined before its result is used, and one that is not. */
import java.util.*;
import java.util.concurrent.*;
public class ForkJoinTasks {
	static class Sum extends RecursiveAction {
		int result, raced;

		protected void compute() {
			result = 1; // NORACE
			raced = 1; // RACE
		}
	}

	public static void main(String[] args) {
		Sum s = new Sum();
		s.fork();
		s.raced = 2; // RACE
		s.join();
		s.result = 2; // NORACE
	}
}

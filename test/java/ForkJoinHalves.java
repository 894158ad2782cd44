/* Two halves of an array by fork and join; a static counter beside them. */
import java.util.concurrent.*;
public class ForkJoinHalves {
	static int steps;

	static class Sum extends RecursiveTask<Integer> {
		final int[] a;
		final int from, to;

		Sum(int[] a, int from, int to) {
			this.a = a;
			this.from = from;
			this.to = to;
		}

		protected Integer compute() {
			steps++; // RACE
			if (to - from < 2)
				return a[from]; // NORACE
			Sum left = new Sum(a, from, (from + to) / 2), right = new Sum(a, (from + to) / 2, to);
			left.fork();
			return right.compute() + left.join();
		}
	}

	public static void main(String[] args) {
		int[] a = new int[8];
		a[0] = 1; // NORACE
		System.out.println(new ForkJoinPool(2).invoke(new Sum(a, 0, 8)));
	}
}

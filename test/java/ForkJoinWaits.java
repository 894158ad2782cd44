/* A task that waits for what it forks leaves nothing behind when it returns; one that does not, does. */
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

public class ForkJoinWaits {
	static class Max extends RecursiveTask<Integer> {
		final int[] data;
		final int from, to;

		Max(int[] data, int from, int to) {
			this.data = data;
			this.from = from;
			this.to = to;
		}

		protected Integer compute() {
			if (to - from < 16) {
				int max = data[from]; // NORACE-LIKELY
				for (int i = from; i < to; i++)
					max = Math.max(max, data[i]); // NORACE-LIKELY
				return max;
			}
			int mid = (from + to) >>> 1;
			Max left = new Max(data, from, mid), right = new Max(data, mid, to);
			left.fork();
			return Math.max(right.compute(), left.join());
		}
	}

	static class Left extends RecursiveTask<Integer> {
		final int[] data;
		final int from, to;

		Left(int[] data, int from, int to) {
			this.data = data;
			this.from = from;
			this.to = to;
		}

		protected Integer compute() {
			if (to - from < 16)
				return data[from]; // RACE
			int mid = (from + to) >>> 1;
			Left left = new Left(data, from, mid), right = new Left(data, mid, to);
			left.fork();
			int r = right.compute();
			return r < 0 ? r : Math.max(r, left.join());
		}
	}

	public static void main(String[] args) {
		ForkJoinPool pool = new ForkJoinPool();
		int[] data = new int[500], other = new int[500];
		data[0] = pool.invoke(new Max(data, 0, 500)); // NORACE-LIKELY
		other[0] = pool.invoke(new Left(other, 0, 500)); // RACE
	}
}

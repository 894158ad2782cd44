/* Slices of an array by fork and join, in place; one cell for all, and what is done while the other half runs. */
import java.util.concurrent.*;

public class ForkJoinSlices {
	static class Sort extends RecursiveAction {
		final int[] a, t, count, late;
		final int lo, hi;

		Sort(int[] a, int[] t, int[] count, int[] late, int lo, int hi) {
			this.a = a;
			this.t = t;
			this.count = count;
			this.late = late;
			this.lo = lo;
			this.hi = hi;
		}

		protected void compute() {
			if (hi - lo < 8) {
				for (int i = lo + 1; i < hi; i++)
					if (a[i] < a[i - 1]) // NORACE-LIKELY
						a[i] = a[i - 1]; // NORACE-LIKELY
				count[0]++; // RACE
				return;
			}
			int mid = (lo + hi) / 2;
			Sort left = new Sort(a, t, count, late, lo, mid), right = new Sort(a, t, count, late, mid, hi);
			left.fork();
			right.compute();
			late[lo] = late[mid]; // RACE
			left.join();
			for (int i = lo; i < hi; i++)
				t[i] = a[i]; // NORACE-LIKELY
			for (int i = lo; i < hi; i++)
				a[i] = t[i]; // NORACE-LIKELY
		}
	}

	static class Add extends RecursiveAction {
		final int[] a;
		final int lo, hi;

		Add(int[] a, int lo, int hi) {
			this.a = a;
			this.lo = lo;
			this.hi = hi;
		}

		protected void compute() {
			if (hi - lo <= 16) {
				for (int i = lo; i < hi; i++)
					a[i]++; // NORACE-LIKELY
				return;
			}
			int mid = (lo + hi) >>> 1;
			invokeAll(new Add(a, lo, mid), new Add(a, mid, hi));
		}
	}

	public static void main(String[] args) {
		int[] a = new int[100];
		new ForkJoinPool().invoke(new Add(a, 0, 100));
		new ForkJoinPool().invoke(new Sort(a, new int[100], new int[1], new int[100], 0, 100));
		System.out.println(a[0]); // NORACE-LIKELY
	}
}

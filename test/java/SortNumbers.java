/* Numbers that are sorted, also by several threads: a copy before it is published, an array that another thread reads, each thread its own. */
// BODIES: java.util.DualPivotQuicksort
import java.util.*;
public class SortNumbers {
	static final int[] shared = new int[100];
	static final double[] parallel = new double[100];
	static final int[] from = new int[100];
	static volatile int[] sorted;

	static int max() {
		int[] s = sorted; // NORACE
		if (s == null) {
			s = from.clone(); // NORACE
			Arrays.sort(s); // NORACE
			sorted = s; // NORACE
		}
		return s[s.length - 1]; // NORACE-LIKELY
	}

	static void work() {
		long[] own = new long[10];
		own[3] = 3; // NORACE
		Arrays.sort(own); // NORACE
		System.out.println(max() + own[0]); // NORACE
	}

	public static void main(String[] args) {
		from[1] = 4; // NORACE
		new Thread(SortNumbers::work).start();
		new Thread(SortNumbers::work).start();
		new Thread(() -> {
			Arrays.sort(shared); // RACE
			Arrays.parallelSort(parallel); // RACE
			System.out.println(parallel[0]);
		}).start();
		System.out.println(shared[0]); // RACE
		parallel[7] = 1; // RACE
	}
}

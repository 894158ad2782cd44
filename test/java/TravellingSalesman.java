/* Branch and bound as in tsp: a shared best length, read without the lock; a work queue under a lock; tours of each worker. */
import java.util.*;
public class TravellingSalesman {
	static final int MAX = 14;
	static final int[][] dist = new int[MAX][MAX];
	static int minLen = 9999;
	static final Object minLock = new Object();
	static final PriorityQueue<Tour> queue = new PriorityQueue<>();
	static int expanded;
	static class Tour implements Comparable<Tour> {
		final int[] path = new int[MAX];
		int len, last;
		public int compareTo(Tour o) {
			return len - o.len; // NORACE-LIKELY
		}
	}
	static class Solver extends Thread {
		int found;
		@Override public void run() {
			for (;;) {
				Tour t;
				synchronized (queue) {
					t = queue.poll(); // NORACE-LIKELY
					expanded++; // NORACE
				}
				if (t == null)
					return;
				if (t.len >= minLen) // RACE
					continue;
				for (int c = 0; c < MAX; c++) {
					Tour n = new Tour();
					for (int i = 0; i <= t.last; i++)
						n.path[i] = t.path[i]; // NORACE-LIKELY
					n.last = t.last + 1; // NORACE-LIKELY
					n.len = t.len + dist[t.path[t.last]][c]; // NORACE-LIKELY
					if (n.last == MAX - 1)
						best(n.len);
					else
						synchronized (queue) {
							queue.add(n); // NORACE-LIKELY
						}
				}
				found++; // NORACE
			}
		}
		void best(int l) {
			synchronized (minLock) {
				if (l < minLen)
					minLen = l; // RACE
			}
		}
	}
	public static void main(String[] args) throws InterruptedException {
		for (int i = 0; i < MAX; i++)
			for (int j = 0; j < MAX; j++)
				dist[i][j] = i * j % 7; // NORACE
		queue.add(new Tour()); // NORACE
		Solver[] s = new Solver[4];
		for (int i = 0; i < s.length; i++) {
			s[i] = new Solver();
			s[i].start();
		}
		for (int i = 0; i < s.length; i++)
			s[i].join();
		System.out.println(minLen + " " + expanded); // NORACE
	}
}

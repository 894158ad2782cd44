/* Molecular dynamics in small: rows of a matrix by thread number, and a sum that nobody guards. */
import java.util.concurrent.*;
public class ThreadRows {
	static final int N = 32, T = 2;
	static class Particle { double x, v, f; }
	static final Particle[] one = new Particle[N];
	static final double[][] force = new double[T][N];
	static double epot; static double[] partial = new double[T];
	static final CyclicBarrier br = new CyclicBarrier(T);
	static class R extends Thread {
		final int id; R(int id) { this.id = id; }
		public void run() {
			try {
				for (int step = 0; step < 5; step++) {
					for (int i = 0; i < N; i++) force[id][i] = i; 
					partial[id] += 1; 
					epot += 1; // RACE
					br.await();
					if (id == 0)
						for (int i = 0; i < N; i++) one[i].f = force[0][i] + force[1][i]; 
					br.await();
				}
			} catch (Exception e) { }
		}
	}
	public static void main(String[] a) throws Exception {
		for (int i = 0; i < N; i++) one[i] = new Particle(); // NORACE
		R[] rs = new R[T];
		for (int i = 0; i < T; i++) { rs[i] = new R(i); rs[i].start(); }
		for (int i = 0; i < T; i++) rs[i].join();
		System.out.println(epot + one[0].f); // NORACE
	}
}

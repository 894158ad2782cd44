/* Threads of a loop, as many as their barrier is for, however many that is: rounds of work in
 * parts of an array, of which one thread makes the sum; particles are each thread's own. */
import java.util.concurrent.*;
public class BarrierRounds {
	static double virial;
	static int count;

	static class Particle {
		double x, force;
		Particle(double x) { this.x = x; } // NORACE
	}

	static class Runner extends Thread {
		final int id, n;
		final double[][] part;
		final CyclicBarrier barrier;
		Particle[] own;
		Particle[] taken;

		Runner(int id, int n, double[][] part, CyclicBarrier barrier, Particle[] all) {
			this.id = id;
			this.n = n;
			this.part = part;
			this.barrier = barrier;
			taken = all;
		}

		public void run() {
			own = new Particle[100]; // NORACE
			for (int i = 0; i < 100; i++)
				own[i] = new Particle(i); // NORACE
			try {
				for (int move = 0; move < 10; move++) {
					for (int i = 0; i < 100; i++)
						own[i].x += own[i].force; // NORACE
					barrier.await();
					for (int i = 0; i < 100; i++)
						part[id][i] = 0; // NORACE
					barrier.await();
					for (int i = id; i < 100; i += n)
						part[id][i] += own[i].x; // NORACE
					count++; // RACE
					taken[move].x = move; // RACE
					barrier.await();
					if (id == 0) {
						for (int k = 1; k < n; k++)
							part[0][0] += part[k][0]; // NORACE
						virial = part[0][0]; // NORACE
					}
					barrier.await();
					own[0].force = part[0][0] + virial; // NORACE
				}
			} catch (Exception e) {
			}
		}
	}

	public static void main(String[] args) throws Exception {
		int n = Integer.parseInt(args[0]);
		double[][] part = new double[n][100];
		Particle[] all = new Particle[10];
		CyclicBarrier barrier = new CyclicBarrier(n);
		Runner[] r = new Runner[n];
		for (int i = 0; i < 10; i++)
			all[i] = new Particle(i); // NORACE
		for (int i = 0; i < n; i++) {
			r[i] = new Runner(i, n, part, barrier, all);
			r[i].start();
		}
		for (int i = 0; i < n; i++)
			r[i].join();
		System.out.println(virial + count); // NORACE
	}
}

/* Monte Carlo in small: slices of the work, results in a vector, a sum that nobody guards. */
import java.util.*;
public class MonteCarloRuns {
	static class Result { double v; }
	static class App { final Vector<Result> results = new Vector<>(); double[] seeds = new double[100]; static double global; }
	static class R implements Runnable {
		final int id, n; final App app; R(int id, int n, App app) { this.id = id; this.n = n; this.app = app; }
		public void run() {
			int slice = (100 + n - 1) / n, lo = id * slice, hi = Math.min(100, (id + 1) * slice);
			for (int i = lo; i < hi; i++) {
				Result r = new Result();
				r.v = app.seeds[i]; // NORACE
				app.results.add(r); // NORACE
				App.global += r.v; // RACE
			}
		}
	}
	public static void main(String[] a) throws Exception {
		App app = new App();
		for (int i = 0; i < 100; i++) app.seeds[i] = i; // NORACE
		int n = 3;
		Thread[] th = new Thread[n];
		for (int i = 1; i < n; i++) { th[i] = new Thread(new R(i, n, app)); th[i].start(); }
		new R(0, n, app).run();
		for (int i = 1; i < n; i++) th[i].join();
		double s = 0;
		for (Result r : app.results) s += r.v; // NORACE
		System.out.println(s + App.global); // NORACE
	}
}

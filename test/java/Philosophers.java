/* Philosophers who lock two forks in order, and count their meals without a lock. */
public class Philosophers extends Thread {
	static class Fork { int uses; boolean taken; }
	static int meals; static int okMeals; static final Object table = new Object();
	final Fork l, r;
	Philosophers(Fork l, Fork r) { this.l = l; this.r = r; }
	public void run() {
		for (int i = 0; i < 10; i++) {
			synchronized (l) { synchronized (r) {
				l.uses++; // NORACE
				r.uses++; // NORACE
				meals++; // RACE
			} }
			synchronized (table) { okMeals++; } // NORACE
		}
	}
	public static void main(String[] a) throws Exception {
		Fork[] f = new Fork[5];
		for (int i = 0; i < 5; i++) f[i] = new Fork();
		Philosophers[] ps = new Philosophers[5];
		for (int i = 0; i < 5; i++) { ps[i] = new Philosophers(f[i], f[(i + 1) % 5]); ps[i].start(); }
		for (int i = 0; i < 5; i++) ps[i].join();
		System.out.println(meals + okMeals); // NORACE
	}
}

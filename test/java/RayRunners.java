/* A ray tracer in small: working objects in fields of each thread. */
public class RayRunners {
	static class Vec3 { double x, y; Vec3(double x) { this.x = x; } }
	static class Scene { final Vec3[] objs = new Vec3[8]; int w = 10; }
	static long checksum; static long okSum;
	static synchronized void add(long v) { okSum += v; } // NORACE
	static class Runner extends Thread {
		final Scene s; final int id, n; long check; int[] row = new int[10]; Vec3 tmp;
		Runner(Scene s, int id, int n) { this.s = s; this.id = id; this.n = n; }
		public void run() {
			for (int y = id; y < 100; y += n) {
				tmp = new Vec3(y); // NORACE
				for (int k = 0; k < 8; k++) { tmp.y += s.objs[k].x; row[k]++; check += k; } // NORACE
			}
			checksum += check; // RACE
			add(check);
		}
	}
	public static void main(String[] a) throws Exception {
		Scene s = new Scene();
		for (int i = 0; i < 8; i++) s.objs[i] = new Vec3(i); // NORACE
		int n = Integer.parseInt(a[0]);
		Runner[] rs = new Runner[n];
		for (int i = 0; i < n; i++) { rs[i] = new Runner(s, i, n); rs[i].start(); }
		for (int i = 0; i < n; i++) rs[i].join();
		System.out.println(checksum + okSum); // NORACE
	}
}

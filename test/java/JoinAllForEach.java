/* Thread objects that are made, started and joined in three loops. */
public class JoinAllForEach {
	static class W extends Thread {
		int part; static int shared;
		final int id;
		W(int id) { this.id = id; }
		public void run() {
			part = id * 2; // NORACE
			shared++; // RACE
		}
	}
	public static void main(String[] a) throws InterruptedException {
		W[] ws = new W[8];
		for (int i = 0; i < 8; i++) ws[i] = new W(i);
		for (W w : ws) w.start();
		for (W w : ws) w.join();
		int t = 0;
		for (W w : ws) t += w.part; // NORACE
		System.out.println(t + W.shared); // NORACE
	}
}

/* Threads of a loop: each with its own object, and one for all. */
public class LoopOfThreads {
	int n;

	public static void main(String[] args) {
		LoopOfThreads all = new LoopOfThreads();
		for (int i = 0; i < 4; i++) {
			LoopOfThreads own = new LoopOfThreads();
			new Thread(() -> {
				own.n++; // NORACE-LIKELY
				synchronized (all) {
					own.n++; // NORACE-LIKELY
				}
				bump(all);
			}).start();
		}
	}

	static void bump(LoopOfThreads x) {
		x.n++; // RACE
	}
}

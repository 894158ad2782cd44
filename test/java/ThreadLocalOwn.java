/* A buffer for each thread that never leaves it. */
public class ThreadLocalOwn {
	static final ThreadLocal<int[]> local = ThreadLocal.withInitial(() -> new int[1]);
	static final int[] shared = new int[1];

	static void work() {
		local.get()[0]++; // NORACE
		shared[0]++; // RACE
	}

	public static void main(String[] args) {
		new Thread(ThreadLocalOwn::work).start();
		work();
	}
}

/* A buffer for each thread, and one that is put into a static field as well. */
public class ThreadLocalBuffer {
	static final ThreadLocal<int[]> local = ThreadLocal.withInitial(() -> new int[1]);
	static int[] leaked;

	static void work() {
		int[] mine = local.get();
		mine[0]++; // RACE possible
		leaked = mine; // RACE
		System.out.println(leaked[0]); // RACE possible
	}

	public static void main(String[] args) {
		new Thread(ThreadLocalBuffer::work).start();
		work();
	}
}

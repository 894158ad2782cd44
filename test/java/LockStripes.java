/* Buckets behind stripes of locks: the same stripe for the bucket, or another. */
public class LockStripes {
	static final Object[] locks = {new Object(), new Object()};
	static final int[] good = new int[16], bad = new int[16];

	static void fixed(int k) {
		synchronized (locks[k % 2]) {
			good[k]++; // NORACE-LIKELY
		}
	}

	static void racy(int k) {
		synchronized (locks[k / 2 % 2]) {
			bad[k % 4]++; // RACE possible
		}
	}

	public static void main(String[] args) {
		for (int i = 0; i < 8; i++) {
			int k = i;
			new Thread(() -> {
				fixed(k);
				racy(k);
			}).start();
		}
	}
}

/* An unlock in finally, and one that an exception jumps over: the next holder waits for ever, no race. */
import java.util.concurrent.locks.*;
public class TryFinally {
	static final Lock lock = new ReentrantLock();
	static int good, bad;

	static void fixed(int[] a) {
		lock.lock();
		try {
			good += a[0]; // NORACE
		} finally {
			lock.unlock();
		}
		bad++; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> fixed(new int[1])).start();
		fixed(new int[1]);
	}
}

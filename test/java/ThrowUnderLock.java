/* A synchronized callee that may throw: its handler begins with the monitor held, so that
 * whoever catches the exception holds what it held before; one that releases first does not. */
import java.util.concurrent.locks.ReentrantLock;
public class ThrowUnderLock {
	static final Object lock = new Object();
	static final ReentrantLock other = new ReentrantLock();
	static int good, bad;

	static void checked(int[] a, int i) {
		synchronized (lock) {
			a[i]++;
		}
	}

	static void fixed(int[] a, int i) {
		synchronized (lock) {
			try {
				checked(a, i);
			} catch (ArrayIndexOutOfBoundsException e) {
				good++; // NORACE
			}
			good++; // NORACE
		}
	}

	static void racy(int[] a, int i) {
		other.lock();
		try {
			other.unlock();
			a[i]++;
			other.lock();
		} catch (ArrayIndexOutOfBoundsException e) {
			bad++; // RACE possible
			return;
		}
		other.unlock();
	}

	static void work(int n) {
		int[] a = new int[4];
		fixed(a, n);
		racy(a, n);
	}

	public static void main(String[] args) {
		new Thread(() -> work(args.length)).start();
		work(args.length);
	}
}

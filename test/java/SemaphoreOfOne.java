/* A semaphore of one permit as a lock that may be interrupted; one of two permits, and a side
 * that does not wait. */
import java.util.concurrent.Semaphore;

public class SemaphoreOfOne {
	static final Semaphore one = new Semaphore(1), two = new Semaphore(2);
	static int guarded, crowded, half;

	static class Worker extends Thread {
		public void run() {
			try {
				one.acquire();
			} catch (InterruptedException e) {
				return;
			}
			try {
				guarded++; // NORACE-LIKELY
				half++; // RACE
			} finally {
				one.release();
			}
			try {
				two.acquire();
			} catch (InterruptedException e) {
				return;
			}
			try {
				crowded++; // RACE
			} finally {
				two.release();
			}
		}
	}

	public static void main(String[] args) throws Exception {
		Worker x = new Worker(), y = new Worker();
		x.start();
		y.start();
		half = 7; // RACE
		x.join();
		y.join();
		System.out.println(guarded + crowded + half); // NORACE
	}
}

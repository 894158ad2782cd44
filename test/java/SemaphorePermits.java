/* Semaphores that two threads share by capture: one permit excludes, two or a release of two do not. */
import java.util.concurrent.Semaphore;

public class SemaphorePermits {
	static int single, pair, batch;

	static void go(Semaphore one, Semaphore two, Semaphore gate) {
		one.acquireUninterruptibly();
		single++; // NORACE-LIKELY
		one.release();
		two.acquireUninterruptibly();
		pair++; // RACE
		two.release();
		gate.acquireUninterruptibly();
		batch++; // RACE
		gate.release();
	}

	public static void main(String[] args) throws Exception {
		Semaphore one = new Semaphore(1), two = new Semaphore(2), gate = new Semaphore(0);
		Thread a = new Thread(() -> go(one, two, gate)), b = new Thread(() -> go(one, two, gate));
		a.start();
		b.start();
		gate.release(2);
		a.join();
		b.join();
	}
}

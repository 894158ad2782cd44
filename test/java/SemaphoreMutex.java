/* A semaphore with one permit is a lock. */
// BODIES: java.util.concurrent.Semaphore
import java.util.*;
import java.util.concurrent.*;
public class SemaphoreMutex {
	static int bad, good;
	static final Semaphore one = new Semaphore(1);

	static void work() {
		one.acquireUninterruptibly();
		good++; // NORACE-LIKELY
		one.release();
		bad++; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

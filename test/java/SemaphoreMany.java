/* A semaphore with two permits excludes nobody; one with a single permit does. */
import java.util.concurrent.Semaphore;
public class SemaphoreMany {
	static int bad, good;
	static final Semaphore two = new Semaphore(2), one = new Semaphore(1);

	static void racy() {
		two.acquireUninterruptibly();
		bad++; // RACE possible
		two.release();
	}

	static void fixed() {
		one.acquireUninterruptibly();
		good++; // NORACE-LIKELY
		one.release();
	}

	static void work() {
		racy();
		fixed();
	}

	public static void main(String[] args) {
		new Thread(SemaphoreMany::work).start();
		work();
	}
}

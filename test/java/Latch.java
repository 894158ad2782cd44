/* A latch that is counted down behind the write, and before it. */
// BODIES: java.util.concurrent.CountDownLatch
import java.util.concurrent.*;
public class Latch {
	static int bad, good;
	static final CountDownLatch early = new CountDownLatch(1), late = new CountDownLatch(1);

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			early.countDown();
			bad = 1; // RACE
		});
		t.start();
		early.await();
		bad = 2; // RACE
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			good = 1; // NORACE
			late.countDown();
		});
		t.start();
		late.await();
		good = 2; // NORACE
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

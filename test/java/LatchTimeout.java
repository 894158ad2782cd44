/* A latch that is awaited for a while only, result unused and used. */
import java.util.concurrent.*;
public class LatchTimeout {
	static int bad, good;
	static final CountDownLatch a = new CountDownLatch(1), b = new CountDownLatch(1);

	public static void main(String[] args) throws Exception {
		new Thread(() -> {
			bad = 1; // RACE possible
			a.countDown();
		}).start();
		a.await(1, TimeUnit.SECONDS);
		bad = 2; // RACE possible
		new Thread(() -> {
			good = 1; // NORACE-LIKELY
			b.countDown();
		}).start();
		if (b.await(1, TimeUnit.SECONDS))
			good = 2; // NORACE-LIKELY
	}
}

/* A latch of two waits for both threads. */
import java.util.concurrent.CountDownLatch;
public class LatchOfTwo {
	static int first, second, late;
	static final CountDownLatch two = new CountDownLatch(2);

	public static void main(String[] args) throws Exception {
		new Thread(() -> {
			first = 1; // NORACE-LIKELY
			two.countDown();
			late = 1; // RACE
		}).start();
		new Thread(() -> {
			second = 1; // NORACE-LIKELY
			two.countDown();
		}).start();
		two.await();
		System.out.println(first); // NORACE-LIKELY
		System.out.println(second); // NORACE-LIKELY
		System.out.println(late); // RACE
	}
}

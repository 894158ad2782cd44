/* A latch of one lets go at the first countdown: the second thread's write races. */
import java.util.concurrent.CountDownLatch;
public class LatchOfOne {
	static int first, second;
	static final CountDownLatch one = new CountDownLatch(1);

	public static void main(String[] args) throws Exception {
		new Thread(() -> {
			first = 1; // RACE possible
			one.countDown();
		}).start();
		new Thread(() -> {
			second = 1; // RACE possible
			one.countDown();
		}).start();
		one.await();
		System.out.println(first); // RACE possible
		System.out.println(second); // RACE possible
	}
}

/* A latch that lets all go: what comes before it is seen, what follows races. */
import java.util.*;
import java.util.concurrent.*;
public class LatchStart {
	static int bad, good;
	static final CountDownLatch go = new CountDownLatch(1);

	public static void main(String[] args) throws Exception {
		for (int i = 0; i < 2; i++)
			new Thread(() -> {
				try {
					go.await();
				} catch (InterruptedException e) {
					return;
				}
				System.out.println(good); // NORACE-LIKELY
				bad++; // RACE
			}).start();
		good = 1; // NORACE-LIKELY
		go.countDown();
	}
}

/* Who waits at a barrier for a while only may go on alone, and so may then the others; more threads
 * than a barrier is for do not all meet. */
import java.util.concurrent.*;
public class BarrierBroken {
	static int a, b, c;

	public static void main(String[] args) throws Exception {
		CyclicBarrier timed = new CyclicBarrier(2), small = new CyclicBarrier(2);
		new Thread(() -> {
			try {
				a = 1; // NORACE-LIKELY
				timed.await(1, TimeUnit.SECONDS);
			} catch (Exception e) {
				b = 1; // RACE
			}
		}).start();
		try {
			timed.await();
		} catch (Exception e) {
		}
		a = 2; // NORACE-LIKELY
		b = 2; // RACE
		for (int i = 0; i < 4; i++) {
			final int id = i;
			new Thread(() -> {
				try {
					if (id == 0)
						c = 1; // RACE
					small.await();
					System.out.println(c); // RACE
				} catch (Exception e) {
				}
			}).start();
		}
	}
}

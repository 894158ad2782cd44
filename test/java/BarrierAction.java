/* The action of a barrier runs when all have come and before anyone goes on; what is written beside
 * that, by all, races. */
import java.util.concurrent.*;
public class BarrierAction {
	static int sum, last;
	static int[] part;

	static void add() {
		for (int i = 0; i < part.length; i++)
			sum += part[i]; // NORACE
	}

	public static void main(String[] args) throws Exception {
		int n = Integer.parseInt(args[0]);
		part = new int[n];
		CyclicBarrier barrier = new CyclicBarrier(n, () -> add());
		for (int i = 0; i < n; i++) {
			final int id = i;
			new Thread(() -> {
				for (int round = 0; round < 10; round++) {
					part[id] = round; // NORACE
					try {
						barrier.await();
					} catch (InterruptedException | BrokenBarrierException e) {
						return;
					}
					last = sum; // RACE
					System.out.println(sum); // NORACE
				}
			}).start();
		}
	}
}

/* A barrier between two phases; a write before it on both sides. */
// BODIES: java.util.concurrent.CyclicBarrier
import java.util.*;
import java.util.concurrent.*;
public class BarrierPhases {
	static int bad, good;
	static final CyclicBarrier barrier = new CyclicBarrier(2);

	static void meet() {
		try {
			barrier.await();
		} catch (Exception e) {
			throw new RuntimeException(e);
		}
	}

	public static void main(String[] args) {
		new Thread(() -> {
			bad = 1; // RACE
			good = 1; // NORACE-LIKELY
			meet();
		}).start();
		bad = 2; // RACE
		meet();
		good = 2; // NORACE-LIKELY
	}
}

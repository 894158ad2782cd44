/* An atomic counter, and a plain one beside it. */
// BODIES: java.util.concurrent.atomic.AtomicInteger
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
public class AtomicCounter {
	static final AtomicInteger good = new AtomicInteger();
	static int bad;

	static void work() {
		good.incrementAndGet(); // NORACE
		good.updateAndGet(x -> x + 1); // NORACE
		bad++; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

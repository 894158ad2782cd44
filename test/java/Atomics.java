/* An atomic counter, and a plain one. */
import java.util.concurrent.atomic.*;
public class Atomics {
	static int bad;
	static final AtomicInteger good = new AtomicInteger();

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			bad++; // RACE
		});
		t.start();
		bad++; // RACE
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			good.incrementAndGet(); // NORACE
		});
		t.start();
		good.addAndGet(2); // NORACE
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

/* A volatile field that holds an array: the elements are plain. */
import java.util.concurrent.atomic.AtomicIntegerArray;
public class VolatileArray {
	static volatile int[] bad = new int[2];
	static final AtomicIntegerArray good = new AtomicIntegerArray(2);

	static void work() {
		bad[0]++; // RACE
		good.incrementAndGet(0); // NORACE
	}

	public static void main(String[] args) {
		new Thread(VolatileArray::work).start();
		work();
	}
}

/* An adder keeps its own counts; a plain long beside it does not. */
import java.util.concurrent.atomic.LongAdder;
public class LongAdderSum {
	static final LongAdder good = new LongAdder();
	static long bad;

	static void work() {
		good.increment(); // NORACE-LIKELY
		bad++; // RACE
	}

	public static void main(String[] args) {
		new Thread(LongAdderSum::work).start();
		work();
		System.out.println(good.sum()); // NORACE-LIKELY
	}
}

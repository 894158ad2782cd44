/* Streams that are not parallel: two threads, each on its own data; a counter that both add to. */
import java.util.*;
import java.util.stream.*;

public class SequentialStream {
	static int calls;

	static int[] work(int n) {
		int[] all = new int[n], sum = new int[1];
		IntStream.range(0, n).forEach(i -> {
			all[i] = i; // NORACE
			sum[0] += i; // NORACE
			calls++; // RACE
		});
		List<String> long_ = new ArrayList<>();
		Arrays.stream(all).mapToObj(i -> "x" + i).filter(s -> s.length() > 2).forEach(long_::add); // NORACE-LIKELY
		all[0] = sum[0] + long_.size(); // NORACE
		return all;
	}

	public static void main(String[] args) throws Exception {
		Thread t = new Thread(() -> work(10));
		t.start();
		System.out.println(work(5)[0]); // NORACE
		t.join();
	}
}

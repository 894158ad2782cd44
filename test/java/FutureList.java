/* Futures in a list, each waited for. */
import java.util.*;
import java.util.concurrent.*;
public class FutureList {
	static int[] out = new int[4]; static int total;
	static class Acc { int n; synchronized void add(int k) { n += k; } } // NORACE-LIKELY
	public static void main(String[] a) throws Exception {
		ExecutorService ex = Executors.newFixedThreadPool(2);
		List<Future<?>> fs = new ArrayList<>();
		Acc acc = new Acc();
		for (int i = 0; i < 4; i++) { int k = i; fs.add(ex.submit(() -> { out[k] = k; acc.add(k); total++; })); } // RACE
		for (Future<?> f : fs) f.get();
		ex.shutdown();
		System.out.println(out[1] + acc.n); // NORACE-LIKELY
	}
}

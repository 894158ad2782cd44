/* A value that a future gives, and one that is shared beside it. */
import java.util.*;
import java.util.concurrent.*;
public class FutureValue {
	static class Box {
		int good, bad;
	}

	static final Box early = new Box();

	public static void main(String[] args) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		Future<Box> f = pool.submit(() -> {
			Box b = new Box();
			b.good = 1; // NORACE
			early.bad = 1; // RACE
			return b;
		});
		early.bad = 2; // RACE
		f.get().good = 2; // NORACE
	}
}

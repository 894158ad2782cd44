/* What a callable returns is the future's, ordered by get. */
import java.util.concurrent.*;
public class CallableResult {
	static class Box {
		int bad, good;
	}

	public static void main(String[] args) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		Box shared = new Box();
		Future<Box> f = pool.submit(() -> {
			Box b = new Box();
			b.good = 1; // NORACE
			shared.bad = 1; // RACE
			return b;
		});
		shared.bad++; // RACE
		f.get().good++; // NORACE
	}
}

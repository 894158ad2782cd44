/* A task of a single thread runs beside its submitter all the same. */
import java.util.*;
import java.util.concurrent.*;
public class SingleThreadOthers {
	static int bad, good;

	public static void main(String[] args) throws Exception {
		ExecutorService one = Executors.newSingleThreadExecutor();
		one.execute(() -> {
			bad++; // RACE
		});
		bad++; // RACE
		Future<?> f = one.submit(() -> {
			good++; // NORACE
		});
		f.get();
		good++; // NORACE
	}
}

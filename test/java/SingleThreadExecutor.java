/* Tasks of an executor with one thread follow each other; those of a pool do not. */
// BODIES: java.util.concurrent.Executors
import java.util.*;
import java.util.concurrent.*;
public class SingleThreadExecutor {
	static int bad, good;

	public static void main(String[] args) {
		ExecutorService one = Executors.newSingleThreadExecutor();
		ExecutorService many = Executors.newFixedThreadPool(4);
		one.execute(() -> {
			good++; // NORACE
		});
		one.submit(() -> {
			good++; // NORACE
		});
		many.execute(() -> {
			bad++; // RACE
		});
		many.submit(() -> {
			bad++; // RACE
		});
	}
}

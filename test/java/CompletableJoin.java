/* What a completable future does before join, and beside it. */
// BODIES: java.util.concurrent.CompletableFuture
import java.util.*;
import java.util.concurrent.*;
public class CompletableJoin {
	static int bad, good;

	public static void main(String[] args) {
		CompletableFuture<Void> f = CompletableFuture.runAsync(() -> {
			good = 1; // NORACE
			bad = 1; // RACE
		});
		bad = 2; // RACE
		f.join();
		good = 2; // NORACE
	}
}

/* A stage that follows another runs beside who does not wait for it. */
import java.util.*;
import java.util.concurrent.*;
public class CompletableChain {
	static int bad, good;

	public static void main(String[] args) {
		CompletableFuture<Void> f = CompletableFuture.runAsync(() -> {
		}).thenRun(() -> {
			good = 1; // NORACE
			bad = 1; // RACE
		});
		bad = 2; // RACE
		f.join();
		good = 2; // NORACE
	}
}

/* CompletableFuture: the task runs beside us until join. */
import java.util.concurrent.*;
public class Async {
	static int bad, good;

	public static void main(String[] args) {
		CompletableFuture<Void> f = CompletableFuture.runAsync(() -> {
			bad++; // RACE
			good++; // NORACE
		});
		bad++; // RACE
		f.join();
		good++; // NORACE
	}
}

/* Stages run one behind the other. */
import java.util.concurrent.*;
public class CompletableStages {
	static int x, y, z;
	public static void main(String[] a) throws Exception {
		CompletableFuture<Integer> f = CompletableFuture.supplyAsync(() -> { x = 1; return 3; }) // NORACE
			.thenApply(v -> { x = v; return v + 1; }); // NORACE
		z = 1; // NORACE
		CompletableFuture<Void> g = f.thenAccept(v -> { y = v; z = 2; }); // NORACE
		g.join();
		System.out.println(x + y + z); // NORACE
	}
}

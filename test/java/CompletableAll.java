/* Two futures, both waited for, and one that is not. */
import java.util.concurrent.CompletableFuture;
public class CompletableAll {
	static int a, b, c;

	public static void main(String[] args) {
		CompletableFuture<Void> x = CompletableFuture.runAsync(() -> a = 1); // NORACE
		CompletableFuture<Void> y = CompletableFuture.runAsync(() -> b = 1); // NORACE
		CompletableFuture.runAsync(() -> c = 1); // RACE
		x.join();
		y.join();
		System.out.println(a + b); // NORACE
		System.out.println(c); // RACE
	}
}

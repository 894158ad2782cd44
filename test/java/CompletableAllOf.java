/* Who waits for all of an array of futures comes behind their tasks; who waits for any of them does not. */
import java.util.concurrent.CompletableFuture;

public class CompletableAllOf {
	public static void main(String[] args) {
		int[] all = new int[3], any = new int[3];
		CompletableFuture<?>[] first = new CompletableFuture<?>[3], second = new CompletableFuture<?>[3];
		for (int i = 0; i < 3; i++) {
			int k = i;
			first[i] = CompletableFuture.runAsync(() -> all[k] = k); // NORACE-LIKELY
			second[i] = CompletableFuture.runAsync(() -> any[k] = k); // RACE
		}
		CompletableFuture.allOf(first).join();
		CompletableFuture.anyOf(second).join();
		for (int k = 0; k < 3; k++)
			System.out.println(all[k] + any[k]); // RACE
		all[0] = 1; // NORACE-LIKELY
	}
}

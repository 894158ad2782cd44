/* Who completes a future comes before who gets it. */
import java.util.concurrent.*;
public class CompletableByHand {
	static int data, other;
	public static void main(String[] a) throws Exception {
		CompletableFuture<String> p = new CompletableFuture<>();
		new Thread(() -> { data = 1; p.complete("x"); other = 1; }).start(); // RACE
		p.get();
		System.out.println(data); // NORACE-LIKELY
		System.out.println(other); // RACE
	}
}

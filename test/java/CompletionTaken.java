/* Futures that a completion service gives in the order in which their tasks end. */
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;

public class CompletionTaken {
	static class Part {
		int own, shared;
	}

	static final Part one = new Part();

	public static void main(String[] args) throws Exception {
		CompletionService<Part> service = new ExecutorCompletionService<>(Executors.newFixedThreadPool(2));
		int sum = 0;
		for (int i = 0; i < 3; i++)
			service.submit(() -> {
				Part p = new Part();
				p.own = 1; // NORACE-LIKELY
				one.shared++; // RACE
				return p;
			});
		for (int i = 0; i < 3; i++)
			sum += service.take().get().own; // NORACE-LIKELY
		System.out.println(sum);
	}
}

/* A task that a thread of one's own runs. */
import java.util.concurrent.*;
public class FutureTaskRun {
	static int x, y;
	public static void main(String[] a) throws Exception {
		FutureTask<Integer> f = new FutureTask<>(() -> { x = 1; y = 1; return 2; }); // RACE
		new Thread(f).start();
		y = 2; // RACE
		System.out.println(f.get());
		x = 3; // NORACE-LIKELY
	}
}

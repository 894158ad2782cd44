/* Lambdas that capture one list: guarded by the list's own monitor, and not. */
import java.util.*;
public class LambdaCapture {
	public static void main(String[] args) {
		List<Integer> good = new ArrayList<>(), bad = new ArrayList<>();
		Runnable r = () -> {
			synchronized (good) {
				good.add(1); // NORACE-LIKELY
			}
			bad.add(1); // RACE
		};
		new Thread(r).start();
		new Thread(r).start();
	}
}

/* computeIfAbsent gives both threads one object; a function that it runs may touch others. */
import java.util.concurrent.ConcurrentHashMap;
public class ConcurrentMapCompute {
	static final ConcurrentHashMap<String, int[]> map = new ConcurrentHashMap<>();
	static int made;

	static void work() {
		int[] a = map.computeIfAbsent("a", k -> {
			made++; // RACE possible
			return new int[1];
		});
		a[0]++; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

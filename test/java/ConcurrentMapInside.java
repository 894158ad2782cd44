/* What two threads do inside a concurrent map is the library's business; what they do inside a
 * plain one behind the same interface is not, nor is what they do to the map's values. */
// FLAGS: --contexts none
import java.util.*;
import java.util.concurrent.*;
public class ConcurrentMapInside {
	static final ConcurrentHashMap<String, int[]> safe = new ConcurrentHashMap<>();
	static final TreeMap<String, int[]> plain = new TreeMap<>();

	static void work() {
		safe.put("a", new int[1]);
		safe.remove("b"); // NORACE-LIKELY
		for (int[] v : safe.values()) // NORACE-LIKELY
			v[0]++; // RACE
		plain.put("a", new int[1]); // RACE
	}

	public static void main(String[] args) {
		new Thread(ConcurrentMapInside::work).start();
		work();
	}
}

/* One thread works on a map by two calls, of which one holds its lock: the other one races. */
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class OneCallUnlocked {
	static class Cache {
		private final Map<String, Integer> map = new HashMap<>();
		private final List<String> log = new ArrayList<>();

		synchronized void put(String k, int v) {
			map.put(k, v);
			log.add(k); // NORACE
		}

		synchronized int size() {
			return log.size(); // NORACE
		}

		void putFast(String k, int v) {
			map.put(k, v); // RACE
		}
	}

	public static void main(String[] args) {
		Cache c = new Cache();
		for (int i = 0; i < 2; i++)
			new Thread(() -> {
				c.put("a", 1);
				c.putFast("b", 2);
				System.out.println(c.size());
			}).start();
	}
}

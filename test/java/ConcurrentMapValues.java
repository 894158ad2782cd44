/* A concurrent map keeps its own structure apart, not the objects in it. */
import java.util.concurrent.ConcurrentHashMap;
public class ConcurrentMapValues {
	static class Counter {
		int bad;
		int good;

		synchronized void add() {
			good++; // NORACE-LIKELY
		}
	}
	static final ConcurrentHashMap<String, Counter> map = new ConcurrentHashMap<>();

	static void work(String key) {
		Counter c = map.get(key);
		if (c == null) {
			Counter mine = new Counter();
			Counter old = map.putIfAbsent(key, mine);
			c = old == null ? mine : old;
		}
		c.bad++; // RACE
		c.add();
	}

	public static void main(String[] args) {
		new Thread(() -> work("a")).start();
		work("a");
	}
}

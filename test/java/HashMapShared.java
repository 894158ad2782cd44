/* A plain map that two threads use, with and without a lock. */
import java.util.*;
import java.util.concurrent.*;
public class HashMapShared {
	static final Map<String, String> good = new HashMap<>();
	static final Map<String, String> bad = new HashMap<>();

	static void work() {
		synchronized (good) {
			good.put("a", "b"); // NORACE
		}
		bad.put("a", "b"); // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

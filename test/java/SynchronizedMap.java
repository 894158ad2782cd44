/* A map behind a wrapper that locks, and a counter that is not. */
import java.util.*;
import java.util.concurrent.*;
public class SynchronizedMap {
	static int bad;
	static final Map<String, String> safe = Collections.synchronizedMap(new HashMap<>());

	static void work() {
		safe.put("a", "b"); // NORACE
		bad++; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

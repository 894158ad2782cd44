/* A map of the library that two threads use: reported at the program's calls. */
import java.util.HashMap;
import java.util.Map;

public class SharedHashMap {
	private final Map<String, String> shared = new HashMap<>();
	private final Map<String, String> guarded = new HashMap<>();

	void put() {
		shared.put("a", "b"); // RACE
		synchronized (this) {
			guarded.put("a", "b"); // NORACE-LIKELY
		}
	}

	public static void main(String[] args) {
		SharedHashMap m = new SharedHashMap();
		new Thread(() -> m.put()).start();
		m.shared.get("a"); // RACE
		synchronized (m) {
			m.guarded.get("a"); // NORACE-LIKELY
		}
	}
}

/* Threads of a program that use one map from several methods: every such call is reported. */
import java.util.*;
public class LibraryCallers {
	static final Map<String, Integer> shared = new HashMap<>();
	static final Map<String, Integer> locked = new HashMap<>();

	static void first() {
		shared.put("a", 1); // RACE
		synchronized (locked) {
			locked.put("a", 1); // NORACE
		}
	}

	static Integer second() {
		synchronized (locked) {
			locked.put("b", 2); // NORACE
		}
		return shared.get("b"); // RACE
	}

	static Integer third() {
		synchronized (locked) {
			if (locked.get("c") != null) // NORACE
				return 0;
		}
		return shared.get("c"); // RACE
	}

	public static void main(String[] args) {
		new Thread(LibraryCallers::first).start();
		new Thread(() -> {
			second();
			third();
		}).start();
	}
}

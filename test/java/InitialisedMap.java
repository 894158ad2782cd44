/* A map that the initialiser of a class fills, and all find filled: what they run of the library's
 * code is the same.  Who puts something there later races. */
import java.util.*;
public class InitialisedMap {
	static class Filled {
		static final Map<String, Integer> MAP = new HashMap<>();
		static int size;

		static {
			MAP.put("a", 1); // NORACE
			MAP.put("b", 2); // NORACE
			size = MAP.size(); // NORACE
		}

		static int find(String key) {
			return MAP.get(key) + size; // NORACE
		}
	}

	static class Added {
		static final Map<String, Integer> MAP = new HashMap<>();

		static {
			MAP.put("a", 1); // NORACE
		}

		static void add() {
			MAP.put("b", 2); // RACE
		}

		static Integer find(String key) {
			return MAP.get(key); // RACE
		}
	}

	/* Whoever got the object has passed the initialiser that made it. */
	static class Lazy {
		static final Lazy ONE = new Lazy();
		final int[] squares = new int[8];
		int calls;

		Lazy() {
			for (int i = 0; i < squares.length; i++)
				squares[i] = i * i; // NORACE
		}

		static Lazy get() {
			return ONE;
		}
	}

	static void use() {
		Filled.find("a");
		Added.find("a");
		Lazy one = Lazy.get();
		one.calls += one.squares[3]; // RACE
	}

	public static void main(String[] args) {
		new Thread(InitialisedMap::use).start();
		new Thread(() -> {
			use();
			Added.add();
		}).start();
	}
}

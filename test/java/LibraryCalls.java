/* One method of a library's class is called from several places, with and without the lock: each
 * that lacks it is reported, also where another call in the same state was met first. */
// FLAGS: --open LibraryCalls
import java.util.*;
public class LibraryCalls {
	private final List<String> names = new ArrayList<>();
	private final List<String> safe = new ArrayList<>();

	public synchronized void push(String s) {
		names.add(s); // RACE
		safe.add(s); // NORACE-LIKELY
	}

	public synchronized String pop() {
		if (names.isEmpty()) // NORACE-LIKELY
			return null;
		return safe.isEmpty() ? "" : safe.get(0); // NORACE-LIKELY
	}

	public boolean isEmpty() {
		return names.isEmpty(); // RACE
	}

	public boolean isNone() {
		return names.isEmpty(); // RACE
	}
}

/* An open program that hands out its own list, and one that hands out a copy. */
// FLAGS: --open OpenExposed
import java.util.*;
public class OpenExposed {
	private final List<String> good = new ArrayList<>(), bad = new ArrayList<>();

	public synchronized void add(String s) {
		good.add(s); // NORACE-LIKELY
		bad.add(s); // RACE
	}

	public synchronized List<String> copy() {
		return new ArrayList<>(good); // NORACE-LIKELY
	}

	public int size() {
		return bad.size(); // RACE
	}
}

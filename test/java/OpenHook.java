/* An open program: what a library's class keeps for its subclasses is run by its own methods, which callers see: who
 * puts to a map that forgets its eldest entries counts them. */
// FLAGS: --open OpenHook
import java.util.LinkedHashMap;
import java.util.Map;

public class OpenHook extends LinkedHashMap<String, String> {
	private int forgotten, counted;

	@Override
	protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
		forgotten++; // RACE
		synchronized (this) {
			counted++; // NORACE-LIKELY
		}
		return size() > 9;
	}

	public int forgotten() {
		return forgotten; // RACE
	}

	public synchronized int counted() {
		return counted; // NORACE-LIKELY
	}
}

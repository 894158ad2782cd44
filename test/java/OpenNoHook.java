/* An open program: a class that a library leaves nothing to is used by its own methods, and what it inherits is the
 * library's affair. */
// FLAGS: --open OpenNoHook
import java.util.LinkedHashMap;

public class OpenNoHook extends LinkedHashMap<String, String> {
	private int n;

	public synchronized int add() {
		return ++n; // NORACE
	}
}

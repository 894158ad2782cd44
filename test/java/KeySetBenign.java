/* The benign race of Naik et al. 2006, Section 3: two threads make the cached view of a map.
 * The field is volatile in Hashtable since then, and still plain in HashMap. */
// FLAGS: --open KeySetBenign
import java.util.*;
public class KeySetBenign {
	private final Hashtable<String, String> fixed = new Hashtable<>();
	private final HashMap<String, String> plain = new HashMap<>();

	public Set<String> fixed() {
		return fixed.keySet(); // NORACE-LIKELY
	}

	public Set<String> plain() {
		return plain.keySet(); // RACE
	}
}

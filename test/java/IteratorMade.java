/* An iterator that a function asks for and walks through is its own, however much iterators are one
 * object; one that two threads get from a field or a map is not. */
// FLAGS: --contexts none
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

public class IteratorMade {
	static final Set<String> names = new HashSet<>();
	static final List<String> lines = new ArrayList<>();
	static final Set<String> others = new TreeSet<>();
	static final Map<String, Iterator<String>> kept = new ConcurrentHashMap<>();
	static Iterator<String> shared;

	static void walk() {
		for (String s : names)
			System.out.println(s); // NORACE-LIKELY
		Iterator<String> it = lines.iterator();
		while (it.hasNext()) // NORACE-LIKELY
			System.out.println(it.next()); // NORACE-LIKELY
	}

	static void share() {
		shared.next(); // RACE
		kept.get("a").next(); // RACE
	}

	public static void main(String[] args) {
		names.add("a");
		lines.add("b");
		shared = others.iterator();
		kept.put("a", others.iterator());
		for (int i = 0; i < 2; i++) {
			new Thread(IteratorMade::walk).start();
			new Thread(IteratorMade::share).start();
		}
	}
}

/* a lazily made cache in a field, guarded on one path only. */
import java.util.*;
public class LazyCache {
	private Map<String, String> cache;
	private String[] names;
	private boolean sorted;
	private final List<String> methods = new ArrayList<>();
	synchronized void register(String m) {
		methods.add(m); // RACE
		cache = null; // RACE
		sorted = false; // NORACE
	}
	String lookup(String n) {
		if (cache == null) { // RACE
			Map<String, String> c = new HashMap<>();
			for (String m : methods) // RACE
				c.put(m, m.toLowerCase());
			cache = c; // RACE
		}
		return cache.get(n);
	}
	synchronized String[] names() {
		if (!sorted) {
			names = methods.toArray(new String[0]); // NORACE-LIKELY
			Arrays.sort(names);
			sorted = true; // NORACE
		}
		return names;
	}
	public static void main(String[] args) {
		LazyCache g = new LazyCache();
		new Thread(() -> g.register("A")).start();
		new Thread(() -> System.out.println(g.lookup("A"))).start();
		new Thread(() -> System.out.println(g.names().length)).start();
	}
}

/* Synchronized wrappers: single calls are safe; iteration needs the wrapper's lock, by the wrapper itself, not by the list inside. */
import java.util.*;
public class SynchronizedIterated {
	static final List<String> inner = new ArrayList<>();
	static final List<String> good = Collections.synchronizedList(new ArrayList<>());
	static final List<String> bad = Collections.synchronizedList(new ArrayList<>());
	static final List<String> wrong = Collections.synchronizedList(inner);
	static final Set<String> set = Collections.synchronizedSet(new HashSet<>());
	static void writer(String s) {
		good.add(s); // NORACE-LIKELY
		bad.add(s); // RACE
		wrong.add(s); // RACE
		set.add(s); // NORACE-LIKELY
	}
	static int reader() {
		int n = 0;
		synchronized (good) {
			for (String s : good) // NORACE-LIKELY
				n += s.length();
		}
		for (String s : bad) // RACE
			n += s.length();
		synchronized (inner) {
			for (String s : inner) // RACE
				n += s.length();
		}
		synchronized (set) {
			Iterator<String> i = set.iterator(); // NORACE-LIKELY
			while (i.hasNext()) // NORACE-LIKELY
				n += i.next().length(); // NORACE-LIKELY
		}
		return n;
	}
	public static void main(String[] args) {
		new Thread(() -> writer("a")).start();
		new Thread(() -> System.out.println(reader())).start();
	}
}

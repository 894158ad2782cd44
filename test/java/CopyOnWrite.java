/* A copy-on-write list may be read while another adds; a plain one may not. */
import java.util.*;
import java.util.concurrent.CopyOnWriteArrayList;
public class CopyOnWrite {
	static final List<String> good = new CopyOnWriteArrayList<>();
	static final List<String> bad = new ArrayList<>();

	static void add(String s) {
		good.add(s); // NORACE-LIKELY
		bad.add(s); // RACE
	}

	static int count() {
		int n = 0;
		for (String s : good) // NORACE-LIKELY
			n += s.length();
		return n + bad.size(); // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> add("a")).start();
		System.out.println(count());
	}
}

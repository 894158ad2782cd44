/* A synchronized list must be iterated under its own lock. */
import java.util.*;
public class IteratorUnderLock {
	static final List<Integer> bad = Collections.synchronizedList(new ArrayList<>());
	static final List<Integer> good = Collections.synchronizedList(new ArrayList<>());

	static void add() {
		bad.add(1); // RACE
		good.add(1); // NORACE-LIKELY
	}

	static int sum() {
		int n = 0;
		for (int x : bad) // RACE
			n += x;
		synchronized (good) {
			for (int x : good) // NORACE-LIKELY
				n += x;
		}
		return n;
	}

	public static void main(String[] args) {
		new Thread(IteratorUnderLock::add).start();
		System.out.println(sum());
	}
}

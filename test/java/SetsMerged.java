/* Sets that are locked each by its own lock, while the maps inside of them, which the library makes, are not told apart: nothing is
 * shared that the program has.  A set that two use without a lock is. */
// FLAGS: --contexts none
import java.util.HashSet;
import java.util.Set;

public class SetsMerged {
	static final Set<String> left = new HashSet<>();
	static final Set<String> right = new HashSet<>();
	static final Set<String> open = new HashSet<>();
	static final Set<String> walked = new HashSet<>();

	static void left() {
		synchronized (left) {
			left.add("a"); // NORACE-LIKELY
		}
	}

	static void right() {
		synchronized (right) {
			System.out.println(right.remove("a")); // NORACE-LIKELY
			right.add("c"); // NORACE-LIKELY
		}
	}

	static void add() {
		open.add("a"); // RACE
		walked.add("b"); // RACE
	}

	static void walk() {
		for (String s : walked) // RACE
			System.out.println(s);
	}

	public static void main(String[] args) {
		new Thread(() -> {
			left();
			right();
			add();
			walk();
		}).start();
		left();
		right();
		add();
	}
}

/* Without contexts all tables are walked by the same code: one that its function has just made
 * is its own all the same; one that both threads have is not. */
// FLAGS: --contexts none
import java.util.*;
public class JustMade {
	static final Vector<String> shared = new Vector<>();
	static Vector<String> leaked;

	static int local(String s) {
		StringJoiner mine = new StringJoiner(",");
		mine.add(s); // NORACE-LIKELY
		return mine.length(); // NORACE-LIKELY
	}

	static void leak() {
		BitSet bits = new BitSet();
		Holder.it = bits; // RACE
		bits.set(3); // RACE
	}

	static class Holder {
		static BitSet it;
	}

	static void work() {
		System.out.println(local("a"));
		leak();
		System.out.println(Holder.it.get(3)); // RACE
	}

	public static void main(String[] args) {
		new Thread(JustMade::work).start();
		work();
	}
}

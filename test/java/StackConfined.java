/* A collection that stays in the method; one that a field holds. */
import java.util.*;
public class StackConfined {
	static final List<Integer> kept = new ArrayList<>();

	static int local() {
		List<Integer> mine = new ArrayList<>();
		mine.add(1); // NORACE-LIKELY
		return mine.size(); // NORACE-LIKELY
	}

	static int shared() {
		kept.add(1); // RACE
		return kept.size(); // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> System.out.println(local() + shared())).start();
		System.out.println(local() + shared());
	}
}

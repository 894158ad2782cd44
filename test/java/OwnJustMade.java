/* Collections that an activation has just made, whatever becomes of them later: what two threads
 * add to are two. */
import java.util.*;
public class OwnJustMade {
	static Map<String, Object> results = Collections.synchronizedMap(new HashMap<>());
	static List<Object> given = new ArrayList<>();

	static Object read(int depth, Iterator<Integer> in) {
		List<Object> list = new ArrayList<>();
		while (in.hasNext())
			list.add(depth > 0 ? read(depth - 1, in) : in.next()); // NORACE-LIKELY
		return list;
	}

	static List<Object> handed(int depth) {
		List<Object> list = new ArrayList<>();
		if (depth > 0)
			list.add(handed(depth - 1)); // RACE
		given = list; // RACE
		return list;
	}

	static final java.io.PushbackInputStream shared = new java.io.PushbackInputStream(System.in);

	/* Just made, but around what all share. */
	static void around() throws java.io.IOException {
		new java.io.DataInputStream(shared).skipBytes(1); // RACE
	}

	static void others() {
		given.add("late"); // RACE
	}

	public static void main(String[] args) {
		Runnable r = () -> {
			results.put("a", read(3, List.of(1, 2, 3).iterator()));
			Object x = results.get("a");
			if (x instanceof List)
				System.out.println(((List<?>)x).size());
			handed(3);
			others();
			try {
				around();
			} catch (java.io.IOException e) {
			}
		};
		new Thread(r).start();
		new Thread(r).start();
	}
}

/* With what libraries make told apart by class only, as in the largest programs: a race in
 * such an object is not lost, what a lock orders is still known to be, and the program's own
 * objects are as they were. */
// FLAGS: --points-to classes
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;

public class ClassesTogether {
	static class Item {
		int n, guarded;
	}

	static Item item = new Item();
	static final Object lock = new Object();

	public static void main(String[] args) {
		List<String> all = new ArrayList<>();
		all.add("a");
		all.add("b");
		List<String> racy = all.subList(0, 1);
		ListIterator<String> locked = new LinkedList<String>().listIterator();
		Item own = new Item();
		new Thread(() -> {
			item.n++; // RACE
			racy.add("c"); // RACE possible
			synchronized (lock) {
				item.guarded++; // NORACE
				locked.add("d"); // NORACE
			}
		}).start();
		item.n++; // RACE
		own.n++;  // NORACE
		racy.add("e"); // RACE possible
		synchronized (lock) {
			item.guarded++;  // NORACE
			locked.add("f"); // NORACE
		}
	}
}

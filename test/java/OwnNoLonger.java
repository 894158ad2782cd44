/* What a worker has for itself, until somebody else gets it: by the creator, a static field, another
 * worker's object, a thread that it starts, or a table that all know. */
import java.util.*;
import java.util.concurrent.*;
public class OwnNoLonger {
	static class Item {
		int n;
	}

	/* The creator gives each the list of the one before. */
	static class Peer extends Thread {
		List<Item> mine = new ArrayList<>(), others;

		public void run() {
			mine.add(new Item()); // RACE
			if (others != null)
				others.clear(); // RACE
		}
	}

	/* Each publishes its own. */
	static class Teller extends Thread {
		static volatile Map<String, Item> last;
		final Map<String, Item> own = new HashMap<>();

		public void run() {
			last = own;
			own.put("a", new Item()); // RACE
			last.remove("a"); // RACE
		}
	}

	/* Each lets a thread of its own work on it. */
	static class Boss extends Thread {
		public void run() {
			ArrayList<Item> jobs = new ArrayList<>();
			new Thread(() -> jobs.add(new Item())).start(); // RACE
			jobs.add(new Item()); // RACE
		}
	}

	/* One list for all. */
	static class Sharer extends Thread {
		final List<Item> list;

		Sharer(List<Item> l) {
			list = l;
		}

		public void run() {
			list.add(new Item()); // RACE
		}
	}

	/* What is put into a table that all look into. */
	static class Pooled extends Thread {
		static final ConcurrentHashMap<Integer, Item> table = new ConcurrentHashMap<>();

		public void run() {
			Item i = new Item();
			table.put(1, i);
			i.n++; // RACE
			Item other = table.get(1);
			other.n++; // RACE
		}
	}

	public static void main(String[] args) {
		Peer before = null;
		for (int i = 0; i < 3; i++) {
			Peer p = new Peer();
			if (before != null)
				p.others = before.mine;
			before = p;
			p.start();
		}
		List<Item> one = new LinkedList<>();
		for (int i = 0; i < 3; i++) {
			new Teller().start();
			new Boss().start();
			new Sharer(one).start();
			new Pooled().start();
		}
	}
}

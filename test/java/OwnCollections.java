/* Each worker has lists and maps of its own, with all that they are made of; so does what it makes
 * and keeps there. */
import java.util.*;
public class OwnCollections {
	static class Note {
		int seen;
	}

	static class Worker implements Runnable {
		private final Map<Integer, Note> notes = new HashMap<>();
		private final StringBuilder text = new StringBuilder();
		private List<Note> order;

		public void run() {
			order = new ArrayList<>();
			for (int i = 0; i < 9; i++) {
				Note n = new Note();
				notes.put(i, n); // NORACE
				order.add(n); // NORACE
				text.append(i); // NORACE
			}
			for (Note n : order) // NORACE
				n.seen++; // NORACE
			for (Map.Entry<Integer, Note> e : notes.entrySet()) // NORACE
				e.getValue().seen += e.getKey(); // NORACE
			Collections.reverse(order); // NORACE
		}
	}

	static class Sub extends Thread {
		private final ArrayDeque<int[]> stack = new ArrayDeque<>();

		public void run() {
			for (int i = 0; i < 4; i++)
				stack.push(new int[] {i}); // NORACE
			while (!stack.isEmpty()) // NORACE
				stack.pop()[0]++; // NORACE
		}
	}

	public static void main(String[] args) throws InterruptedException {
		Thread[] all = new Thread[3];
		for (int i = 0; i < all.length; i++) {
			all[i] = new Thread(new Worker());
			all[i].start();
			new Sub().start();
		}
		for (Thread t : all)
			t.join();
	}
}

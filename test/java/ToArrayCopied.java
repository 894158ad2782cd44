/* A list gives an array of what is in it: each object is used under the list's lock, or is a copy;
 * the array itself is the caller's own. */
import java.util.ArrayList;
import java.util.List;
public class ToArrayCopied {
	static class Listener {
		int calls;

		synchronized void call() {
			calls++; // NORACE
		}
	}
	static final List<Listener> all = new ArrayList<>();

	static void fire() {
		Listener[] now;
		synchronized (all) {
			now = all.toArray(new Listener[0]); // NORACE
		}
		for (Listener l : now) // NORACE
			l.call();
		now[0] = null; // NORACE
	}

	public static void main(String[] args) {
		new Thread(ToArrayCopied::fire).start();
		new Thread(ToArrayCopied::fire).start();
		synchronized (all) {
			all.add(new Listener()); // NORACE
		}
	}
}

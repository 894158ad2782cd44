/* An open program: callers cannot name the public member of a hidden class. */
// FLAGS: --open OpenHidden
public class OpenHidden {
	private final Store store = new Store();
	private int bad;

	public synchronized int add() {
		return store.slot.add();
	}

	public void miss() {
		bad++; // RACE
	}
}

class Store {
	public class Slot {
		private int n;

		public int add() {
			return ++n; // NORACE-LIKELY
		}
	}
	final Slot slot = new Slot();
}

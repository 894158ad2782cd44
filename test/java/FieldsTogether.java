/* With what fields hold told apart by field only, as in very large programs: the item
 * of one box may be that of the other, a race on a shared one is not lost, and what
 * is ordered by a lock is still known to be. */
// FLAGS: --points-to fields
public class FieldsTogether {
	static class Item {
		int n, guarded;
	}

	static class Box {
		Item item;

		Box copy() {
			Box b = new Box();
			b.item = item;
			return b;
		}
	}

	static Box left = new Box(), right = new Box();

	public static void main(String[] args) {
		left.item = new Item();
		right.item = new Item();
		Box shared = left.copy();
		new Thread(() -> {
			left.item.n++; // RACE
			synchronized (left) {
				left.item.guarded++; // NORACE
			}
		}).start();
		right.item.n++; // RACE
		shared.item.n++; // RACE
		synchronized (left) {
			shared.item.guarded++; // NORACE
		}
	}
}

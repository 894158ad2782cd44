/* No class of the program is a factory: callers have one of their own, and what it makes is new
 * until the program shares it. */
// FLAGS: --open OpenFactory --open OpenFactory.Factory --open OpenFactory.Item
public class OpenFactory {
	public interface Factory {
		Item make();
		void discard(Item item) throws Exception;
	}

	public static class Item {
		private int early, late, kept;

		public Item() {
		}
	}

	private final Factory factory;
	private Item last;
	private int discarded, failed;

	public OpenFactory(Factory factory) {
		this.factory = factory;
	}

	public void add() {
		Item item = factory.make();
		item.early = 1; // NORACE
		synchronized (this) {
			last = item;
		}
		item.late = 1; // RACE
	}

	public synchronized int sum() {
		return last.early + last.late; // RACE
	}

	public void discard() {
		Item item = factory.make();
		item.kept = 1; // NORACE
		try {
			factory.discard(item);
			discarded++; // RACE
		} catch (Exception e) {
			failed++; // RACE
		}
	}
}

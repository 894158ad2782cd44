/* Two objects of one class, each with an item of its own: what their fields hold is
 * told apart by object, so each thread has its own item. */
public class FieldsApart {
	static class Item {
		int n;
	}

	static class Box {
		Item item;
	}

	static Box left = new Box(), right = new Box();

	public static void main(String[] args) {
		left.item = new Item();
		right.item = new Item();
		new Thread(() -> {
			left.item.n++; // NORACE
		}).start();
		right.item.n++; // NORACE
	}
}

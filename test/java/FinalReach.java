/* What was written before a constructor's end is seen by who reaches it through
 * a final field, however the object came there; not what is written later, nor
 * what is reached through another field. */
public class FinalReach {
	static class Node {
		int value;
	}

	static class Box {
		final Node node;
		final int[] data = new int[2];
		Node loose;

		Box(int v) {
			node = new Node();
			node.value = v; // NORACE
			data[0] = v; // NORACE
			loose = new Node(); // RACE possible
			loose.value = v; // RACE possible
		}
	}

	static class Late {
		final Node node = new Node();
	}

	static Box shared;
	static Late late;

	public static void main(String[] args) {
		new Thread(() -> {
			shared = new Box(1); // RACE
		}).start();
		new Thread(() -> {
			Late l = new Late();
			l.node.value = 1; // RACE possible
			late = l; // RACE
		}).start();
		Box b = shared; // RACE
		if (b != null) {
			System.out.println(b.node.value); // NORACE
			System.out.println(b.data[0]); // NORACE
			System.out.println(b.loose.value); // RACE possible
		}
		Late l = late; // RACE
		if (l != null)
			System.out.println(l.node.value); // RACE possible
	}
}

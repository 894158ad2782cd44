/* Two threads with an element each, by constant; a third that writes both. */
public class ArrayCells {
	static final int[] good = new int[2], bad = new int[2];

	public static void main(String[] args) {
		new Thread(() -> {
			good[0] = 1; // NORACE
			bad[0] = 1; // RACE
		}).start();
		new Thread(() -> {
			good[1] = 1; // NORACE
			bad[0] = 2; // RACE
		}).start();
	}
}

/* A table that the static initialiser fills and everybody reads; one that is written later. */
public class StaticTable {
	static class Tables {
		static final int[] good = new int[4];
		static final int[] bad = new int[4];

		static {
			for (int i = 0; i < 4; i++) {
				good[i] = i; // NORACE
				bad[i] = i; // NORACE
			}
		}
	}

	static void work() {
		System.out.println(Tables.good[1]); // NORACE
		Tables.bad[1] = 2; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

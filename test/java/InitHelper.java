/* What the initialiser of a class calls, others call once that has ended; but a thread that it has started does not wait. */
public class InitHelper {
	static class Cell {
		int given, kept;
	}

	static class Table {
		static int[] cells;
		static final Cell cell = new Cell();

		static {
			cells = new int[8]; // NORACE
			grow();
			cell.kept = 1; // NORACE
			keep(cell);
			new Thread(new Task(cell)).start();
			cell.given = 1; // RACE
			Other.give(cell);
		}

		static void grow() {
			System.out.println(cells.length); // NORACE
		}

		static void keep(Cell c) {
			System.out.println(c.kept); // NORACE
		}
	}

	static class Other {
		static void give(Cell c) {
			c.given++; // RACE
		}
	}

	static class Task implements Runnable {
		final Cell cell;

		Task(Cell c) {
			cell = c;
		}

		@Override
		public void run() {
			Other.give(cell);
		}
	}

	static void use() {
		Table.grow();
		Table.keep(Table.cell);
	}

	public static void main(String[] args) {
		new Thread(InitHelper::use).start();
		use();
	}
}

/* A record is immutable; the array in it is not. */
public class RecordShared {
	record Row(int id, int[] cells) {
	}

	static final Row row = new Row(1, new int[2]);

	static void work() {
		System.out.println(row.id()); // NORACE
		row.cells()[0]++; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

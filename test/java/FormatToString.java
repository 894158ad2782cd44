/* What is formatted says its text itself. */
public class FormatToString {
	static class Item {
		int shown;
		final int fixed = 3;

		public String toString() {
			return "n" + fixed + shown++; // RACE
		}
	}

	static final Item item = new Item();

	public static void main(String[] args) {
		new Thread(() -> String.format("%s", item)).start();
		System.out.printf("%d %s%n", 1, item);
	}
}

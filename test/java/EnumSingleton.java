/* An enum constant with state of its own. */
public class EnumSingleton {
	enum One {
		IT;

		int bad;
		private int good;

		synchronized void add() {
			good++; // NORACE
		}
	}

	static void work() {
		One.IT.add();
		One.IT.bad++; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

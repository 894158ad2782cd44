/* A static counter of a nested class, by its class's lock and by the outer class's. */
public class StaticNested {
	static class In {
		static int good, bad;

		static synchronized void add() {
			good++; // NORACE
		}
	}

	static synchronized void racy() {
		In.bad++; // RACE
	}

	static void other() {
		synchronized (In.class) {
			In.bad++; // RACE
			In.good++; // NORACE
		}
	}

	public static void main(String[] args) {
		new Thread(() -> { In.add(); racy(); }).start();
		other();
	}
}

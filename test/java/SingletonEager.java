/* A singleton that its class initialiser makes, and state in it with and without a lock. */
public class SingletonEager {
	private static final SingletonEager it = new SingletonEager();
	private final int fixed = 7;
	private int good, bad;

	static SingletonEager get() {
		return it; // NORACE
	}

	synchronized void add() {
		good += fixed; // NORACE
	}

	void miss() {
		bad += fixed; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> {
			get().add();
			get().miss();
		}).start();
		get().add();
		get().miss();
	}
}

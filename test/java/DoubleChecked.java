/* Double-checked locking without volatile. */
public class DoubleChecked {
	int value;
	static DoubleChecked it;
	static final Object lock = new Object();

	DoubleChecked() {
		value = 5; // RACE possible
	}

	static DoubleChecked get() {
		if (it == null) { // RACE
			synchronized (lock) {
				if (it == null)
					it = new DoubleChecked(); // RACE
			}
		}
		return it;
	}

	public static void main(String[] args) {
		new Thread(() -> System.out.println(get().value)).start(); // RACE possible
		System.out.println(get().value);
	}
}

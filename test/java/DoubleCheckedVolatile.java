/* Double-checked locking with volatile. */
public class DoubleCheckedVolatile {
	int value;
	static volatile DoubleCheckedVolatile it;
	static final Object lock = new Object();

	DoubleCheckedVolatile() {
		value = 5; // NORACE
	}

	static DoubleCheckedVolatile get() {
		if (it == null) { // NORACE
			synchronized (lock) {
				if (it == null)
					it = new DoubleCheckedVolatile(); // NORACE
			}
		}
		return it;
	}

	public static void main(String[] args) {
		new Thread(() -> System.out.println(get().value)).start(); // NORACE
		System.out.println(get().value);
	}
}

/* A generic class with a lock of its own. */
public class GenericBox {
	static class Box<T> {
		private T value;
		T raw;

		synchronized void set(T v) {
			value = v; // NORACE
		}

		synchronized T get() {
			return value; // NORACE
		}
	}

	static final Box<String> box = new Box<>();

	static void work() {
		box.set("x");
		box.get();
		box.raw = "y"; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

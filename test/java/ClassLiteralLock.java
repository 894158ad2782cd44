/* The class of the object is not the class that is named. */
public class ClassLiteralLock {
	static class Sub extends ClassLiteralLock {
	}
	static int bad, good;

	void byObject() {
		synchronized (getClass()) {
			bad++; // RACE possible
		}
	}

	void byName() {
		synchronized (ClassLiteralLock.class) {
			good++; // NORACE
		}
	}

	void work() {
		byObject();
		byName();
	}

	public static void main(String[] args) {
		new Thread(() -> new Sub().work()).start();
		new ClassLiteralLock().work();
	}
}

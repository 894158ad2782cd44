/* Equal string literals are one object, in whatever class; new strings are not. */
public class StringLock {
	static int bad, good;

	static class Other {
		static final String LOCK = "lock";

		static void two() {
			synchronized (LOCK) {
				good++; // NORACE
			}
			synchronized ("other") {
				bad++; // RACE
			}
		}
	}

	static void one() {
		synchronized ("lock") {
			good++; // NORACE
		}
		synchronized (new String("lock")) {
			bad++; // RACE
		}
	}

	public static void main(String[] args) {
		new Thread(StringLock::one).start();
		new Thread(Other::two).start();
		one();
	}
}

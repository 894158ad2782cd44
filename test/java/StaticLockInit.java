/* A lock that a static initialiser makes is one object, whoever runs it. */
public class StaticLockInit {
	static class Locks {
		static final Object one = new Object();

		static Object other() {
			return new Object();
		}
	}

	static int bad, good;

	static void work() {
		synchronized (Locks.one) {
			good++; // NORACE
		}
		synchronized (Locks.other()) {
			bad++; // RACE
		}
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

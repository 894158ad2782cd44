/* Equal string literals are one object; new strings are not. */
public class StringLock {
	static int bad, good;

	static void one() {
		synchronized ("lock") {
			good++;
		}
		synchronized (new String("lock")) {
			bad++; // RACE
		}
	}

	public static void main(String[] args) {
		new Thread(StringLock::one).start();
		one();
	}
}

/* An inner object's field under its outer object's monitor, and under its own. */
public class OuterLock {
	class Inner {
		int good, bad;

		void add() {
			synchronized (OuterLock.this) {
				good++; // NORACE-LIKELY
			}
			synchronized (this) {
				bad++; // RACE
			}
		}

		int peek() {
			synchronized (OuterLock.this) {
				return bad; // RACE
			}
		}
	}
	final Inner inner = new Inner();

	public static void main(String[] args) {
		OuterLock o = new OuterLock();
		new Thread(() -> o.inner.add()).start();
		o.inner.add();
		System.out.println(o.inner.peek());
	}
}

/* Variants of double-checked locking: a local copy of a volatile, a volatile flag set too early, a primitive, an array. */
public class DoubleCheckedKinds {
	static class Big {
		int[] table;
		int n;
		Big() {
			table = new int[100];
			for (int i = 0; i < 100; i++)
				table[i] = i; // NORACE-LIKELY
			n = 100;
		}
	}
	private volatile Big good;
	private Big early;
	private volatile boolean ready;
	private Big late;
	private volatile boolean made;
	private int hash;
	private final Object lock = new Object();
	Big good() {
		Big b = good; // NORACE
		if (b == null) {
			synchronized (lock) {
				b = good;
				if (b == null)
					good = b = new Big(); // NORACE
			}
		}
		return b;
	}
	Big early() {
		if (!ready) {
			synchronized (lock) {
				if (!ready) {
					ready = true;
					early = new Big(); // RACE
				}
			}
		}
		return early; // RACE
	}
	Big late() {
		if (!made) {
			synchronized (lock) {
				if (!made) {
					late = new Big(); // NORACE-LIKELY
					made = true;
				}
			}
		}
		return late; // NORACE-LIKELY
	}
	public int hashCode() {
		int h = hash; // RACE
		if (h == 0)
			hash = h = 31 * good().n; // RACE
		return h;
	}
	public static void main(String[] args) {
		DoubleCheckedKinds d = new DoubleCheckedKinds();
		for (int i = 0; i < 3; i++)
			new Thread(() -> {
				System.out.println(d.good().n + d.early().n + d.late().n + d.hashCode());
			}).start();
	}
}

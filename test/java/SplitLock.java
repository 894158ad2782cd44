/* Check and act in two critical sections is no data race; in none it is. */
public class SplitLock {
	private int good, bad;

	synchronized int get() {
		return good; // NORACE
	}

	synchronized void set(int x) {
		good = x; // NORACE
	}

	void twice() {
		set(get() + 1);
		bad = bad + 1; // RACE
	}

	public static void main(String[] args) {
		SplitLock s = new SplitLock();
		new Thread(s::twice).start();
		s.twice();
	}
}

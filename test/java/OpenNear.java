/* A class that is not public: where the interface names it, callers are in its package, and see all
 * that is not private. */
// FLAGS: --open OpenNear --open OpenNearOther
public class OpenNear {
	int hidden;

	void set() {
		hidden = 1; // NORACE
	}

	public void nothing() {
	}
}

class OpenNearOther {
	private int a, b;

	OpenNearOther() {
	}

	void set() {
		a = 1; // RACE
	}

	protected synchronized int get() {
		return a + b; // RACE
	}

	private void never() {
		b = 1; // NORACE
	}
}

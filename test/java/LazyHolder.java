/* Lazy initialisation by a holder class, and by a check without a lock. */
public class LazyHolder {
	int value;

	LazyHolder() {
		value = 3;
	}

	static class Holder {
		static final LazyHolder it = new LazyHolder();
	}

	static LazyHolder one;

	static LazyHolder racy() {
		if (one == null) // RACE
			one = new LazyHolder(); // RACE
		return one; // RACE
	}

	static LazyHolder fixed() {
		return Holder.it; // NORACE
	}

	public static void main(String[] args) {
		new Thread(() -> {
			racy();
			fixed();
		}).start();
		racy();
		fixed();
	}
}

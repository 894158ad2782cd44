/* A holder class makes its object once, before every use; a field does not. */
public class LazyHolderInit {
	static class Big {
		int set = 1;
	}

	static class Holder {
		static final Big one = new Big();
	}

	static Big lazy;

	static Big good() {
		return Holder.one;
	}

	static Big bad() {
		if (lazy == null) // RACE
			lazy = new Big(); // RACE
		return lazy;
	}

	static void work() {
		System.out.println(good().set); // NORACE
		bad();
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

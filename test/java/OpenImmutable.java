/* An open program with an immutable class, and one with a setter. */
// FLAGS: --open OpenImmutable
public class OpenImmutable {
	private final int fixed;
	private int loose;

	public OpenImmutable(int x) {
		fixed = x; // NORACE
		loose = x; // NORACE-LIKELY
	}

	public int fixed() {
		return fixed; // NORACE
	}

	public int loose() {
		return loose; // RACE
	}

	public void set(int x) {
		loose = x; // RACE
	}
}

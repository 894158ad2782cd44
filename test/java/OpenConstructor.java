/* A library class of which callers only make objects: what its constructors do to static fields. */
// FLAGS: --open OpenConstructor
public class OpenConstructor {
	private static int made;
	private static int numbered;
	private static OpenConstructor newest;

	private final int number;

	private static synchronized int next() {
		return ++numbered; // NORACE
	}

	public OpenConstructor() {
		made++; // RACE
		number = next(); // NORACE
	}

	public OpenConstructor(int number) {
		this.number = number; // NORACE
		newest = this; // RACE
	}
}

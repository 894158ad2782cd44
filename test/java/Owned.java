/* What a method allocates and returns belongs to its caller. */
public class Owned {
	static class Part {
		int good;
	}

	static int bad;

	static Part make() {
		Part p = new Part();
		p.good = 1; // NORACE
		return p;
	}

	static void work() {
		Part p = make();
		p.good++; // NORACE
		bad++; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

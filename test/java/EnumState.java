/* A field of an enum constant is one for all threads; what a switch reads is final. */
public class EnumState {
	enum Mode {
		ON(1), OFF(2);
		final int code;
		int hits;

		Mode(int c) {
			code = c; // NORACE
		}
	}

	static void use(Mode m) {
		m.hits += m.code; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> use(Mode.ON)).start();
		use(Mode.ON);
	}
}

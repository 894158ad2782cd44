/* A StringBuilder that two threads append to, and a StringBuffer. */
// BODIES: java.lang.StringBuilder
public class StringBuilders {
	static final StringBuilder bad = new StringBuilder();
	static final StringBuffer good = new StringBuffer();

	static void work() {
		bad.append(1); // RACE
		good.append(1); // NORACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

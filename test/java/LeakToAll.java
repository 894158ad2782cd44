/* A constructor gives its object to those that use it, and goes on; and what it works on was made before, for all of them. */
public class LeakToAll {
	static class Log {
		int lines;

		void add() {
			lines++; // RACE
		}
	}

	static Log all;

	static synchronized Log log() {
		if (all == null)
			all = new Log();
		return all;
	}

	static class Conn {
		int state;
		final Log log = log();

		Conn() {
			ready = this;
			state = 1; // RACE
			log.add();
		}
	}

	static volatile Conn ready;

	static void make() {
		new Conn();
	}

	static void use() {
		Conn c = ready;
		if (c != null)
			System.out.println(c.state); // RACE
	}

	public static void main(String[] args) {
		for (int i = 0; i < 2; i++) {
			new Thread(LeakToAll::make).start();
			new Thread(LeakToAll::use).start();
		}
	}
}

/* Each thread makes a connection, whose constructor gives it to a timer and goes on: with its own fields, with what it made for
 * itself, and with what it keeps in them.  What the timer looks at, or what comes from a cache, is not its own. */
import java.util.ArrayList;

public class OwnLeaked {
	static final ArrayList<Conn> timer = new ArrayList<>();
	static Log shared;

	static class Log {
		int lines, errors;

		void add() {
			lines++; // NORACE
		}
	}

	static class CachedLog {
		int lines;

		void add() {
			lines++; // RACE
		}
	}

	static class Parts {
		final Log log = new Log();
		final CachedLog cached = cache();
	}

	static CachedLog cache;

	static synchronized CachedLog cache() {
		if (cache == null)
			cache = new CachedLog();
		return cache;
	}

	static class Conn {
		int state, seen, given;
		final Parts parts = new Parts();
		Log changed = new Log();

		Conn() {
			synchronized (timer) {
				timer.add(this);
			}
			state++; // NORACE
			seen = 1; // RACE
			parts.log.add();
			parts.cached.add();
			made().errors++; // NORACE
			changed.errors++; // RACE
		}

		Log made() {
			return new Log();
		}
	}

	static void watch() {
		synchronized (timer) {
			for (Conn c : timer) {
				System.out.println(c.seen); // RACE
				c.changed = shared;
			}
		}
	}

	public static void main(String[] args) {
		shared = new Log();
		new Thread(OwnLeaked::watch).start();
		for (int i = 0; i < 2; i++)
			new Thread(() -> new Conn()).start();
	}
}

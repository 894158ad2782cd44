/* A constructor gives its object to a timer and goes on.  Callers get the object when it has returned, and another call
 * makes another; the timer and what the constructor takes from a cache are shared at once. */
// FLAGS: --open OpenMaking
import java.util.ArrayList;

public class OpenMaking {
	private static final ArrayList<OpenMaking> timer = new ArrayList<>();
	private static final Core cache = new Core();

	private static class Core {
		int logins, left;

		void login() {
			logins = 1; // NORACE-LIKELY
		}

		void count() {
			left++; // RACE
		}
	}

	private int state, seen;
	private Core core;

	public static OpenMaking connect() {
		return new OpenMaking();
	}

	private OpenMaking() {
		synchronized (timer) {
			timer.add(this);
		}
		state = 1; // NORACE-LIKELY
		seen = 1; // RACE
		core = new Core(); // NORACE-LIKELY
		core.login();
		cache.count();
	}

	public int state() {
		return state + core.logins;
	}

	private Core core() {
		return core;
	}

	public int logins() {
		return core().logins;
	}

	public static int watch() {
		synchronized (timer) {
			return timer.get(0).seen;
		}
	}
}

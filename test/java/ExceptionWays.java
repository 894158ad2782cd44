/* Locks on exceptional ways: finally, catch outside of synchronized, resource that unlocks in close. */
import java.util.concurrent.locks.*;
public class ExceptionWays {
	static class Held implements AutoCloseable {
		private final Lock l;
		Held(Lock l) {
			this.l = l;
			l.lock();
		}
		@Override public void close() {
			l.unlock();
		}
	}
	final Lock lock = new ReentrantLock();
	int a, b, c;
	void res(String s) {
		try (Held h = new Held(lock)) {
			a += Integer.parseInt(s); // NORACE
		} catch (NumberFormatException e) {
			b++; // RACE
		}
	}
	synchronized void sync(String s) {
		try {
			c += Integer.parseInt(s); // RACE
		} catch (NumberFormatException e) {
			c--; // RACE
		}
	}
	void outside(String s) {
		try {
			synchronized (this) {
				Integer.parseInt(s);
			}
		} catch (NumberFormatException e) {
			c = 0; // RACE
		}
	}
	public static void main(String[] args) {
		ExceptionWays p = new ExceptionWays();
		for (int i = 0; i < 2; i++)
			new Thread(() -> {
				p.res("1");
				p.sync("2");
				p.outside("x");
			}).start();
	}
}

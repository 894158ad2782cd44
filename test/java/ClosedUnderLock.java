/* A shutdown hook closes a buffer under the lock, and looks at it behind that: who writes tests under the lock whether it is closed. A counter is not looked at so. */
import java.util.*;
public class ClosedUnderLock {
	static final StringBuilder good = new StringBuilder(), rest = new StringBuilder();
	static boolean closed;
	static int late;
	static synchronized void write(String s) {
		good.append(s); // NORACE
		if (!closed) // NORACE
			rest.append(s); // NORACE
	}
	static void flush() {
		late++; // RACE
		synchronized (ClosedUnderLock.class) {
			System.out.println(good); // NORACE
			closed = true; // NORACE
		}
		System.out.println(rest.length()); // NORACE
	}
	public static void main(String[] args) {
		Runtime.getRuntime().addShutdownHook(new Thread(ClosedUnderLock::flush));
		for (String a : args)
			write(a);
		System.out.println(late); // RACE
	}
}

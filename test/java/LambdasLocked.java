/* Lambdas that run under a lock that a helper takes; one is run by the helper that does not. */
import java.util.concurrent.locks.*;
import java.util.function.*;
public class LambdasLocked {
	private final Lock lock = new ReentrantLock();
	private int balance, audits, fees;
	<T> T with(Supplier<T> f) {
		lock.lock();
		try {
			return f.get();
		} finally {
			lock.unlock();
		}
	}
	void with(Runnable f) {
		with(() -> {
			f.run();
			return null;
		});
	}
	<T> T without(Supplier<T> f) {
		return f.get();
	}
	void deposit(int n) {
		with(() -> {
			balance += n; // NORACE
		});
		with(() -> {
			fees++; // RACE
		});
	}
	int audit() {
		int f = without(() -> fees); // RACE
		audits++; // RACE
		return f + with(() -> balance); // NORACE
	}
	public static void main(String[] args) {
		LambdasLocked l = new LambdasLocked();
		new Thread(() -> l.deposit(3)).start();
		new Thread(l::audit).start();
		new Thread(l::audit).start();
	}
}

/* Static counters under instance monitors, class monitors, getClass() of subclasses and a static lock. */
public class StaticCounters {
	static int made, live, named, classy, sub;
	static final Object lock = new Object();
	StaticCounters() {
		synchronized (StaticCounters.class) {
			made++; // NORACE
		}
	}
	synchronized void open() {
		live++; // RACE
	}
	static synchronized int made() {
		return made; // NORACE
	}
	void name() {
		synchronized (lock) {
			named++; // NORACE
		}
	}
	void classy() {
		synchronized (getClass()) {
			classy++; // RACE possible
		}
	}
	static class Sub extends StaticCounters {
		static synchronized void inc() {
			sub++; // RACE
		}
	}
	static synchronized void inc() {
		sub++; // RACE
	}
	public static void main(String[] args) {
		new Thread(() -> {
			StaticCounters s = new StaticCounters();
			s.open();
			s.name();
			s.classy();
			StaticCounters.inc();
		}).start();
		new Thread(() -> {
			StaticCounters s = new Sub();
			s.open();
			s.name();
			s.classy();
			Sub.inc();
			System.out.println(made());
		}).start();
	}
}

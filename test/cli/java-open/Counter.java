package lib;

public class Counter {
	private int unguarded;
	private int guarded;
	private final Object lock = new Object();

	public int get() {
		return unguarded;
	}

	public synchronized void increment() {
		unguarded++;
	}

	public int guarded() {
		synchronized (lock) {
			return guarded;
		}
	}

	public void setGuarded(int x) {
		synchronized (lock) {
			guarded = x;
		}
	}
}

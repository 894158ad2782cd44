/* A state machine behind a volatile int: data of each state is written before it is entered; a counter is not. */
public class VolatileStates {
	static final int NEW = 0, RUNNING = 1, DONE = 2;
	private volatile int state = NEW;
	private Object result;
	private Throwable error;
	private int polls;
	void run() {
		state = RUNNING;
		try {
			result = compute(); // NORACE-LIKELY
		} catch (RuntimeException e) {
			error = e; // NORACE-LIKELY
		}
		state = DONE;
	}
	Object compute() {
		return new Object();
	}
	Object get() {
		while (state != DONE)
			polls++; // RACE
		if (error != null) // NORACE-LIKELY
			throw new IllegalStateException(error);
		return result; // NORACE-LIKELY
	}
	public static void main(String[] args) {
		VolatileStates s = new VolatileStates();
		new Thread(s::run).start();
		new Thread(s::get).start();
		new Thread(s::get).start();
	}
}

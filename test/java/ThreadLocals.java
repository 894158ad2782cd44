/* What is kept in a thread-local variable is each thread's own. */
// BODIES: java.lang.ThreadLocal
public class ThreadLocals {
	static class Box {
		int count;
	}

	static Box bad = new Box();
	static final ThreadLocal<Box> good = ThreadLocal.withInitial(() -> new Box());

	static void work() {
		bad.count++; // RACE
		good.get().count++; // NORACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

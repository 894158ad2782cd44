/* A default method of an interface, run by two threads. */
public class DefaultMethod {
	static int bad, good;

	interface Task extends Runnable {
		default void run() {
			bad++; // RACE
			step();
		}

		void step();
	}

	static class Quiet implements Task {
		public void step() {
			synchronized (Quiet.class) {
				good++; // NORACE
			}
		}
	}

	public static void main(String[] args) {
		Task q = new Quiet();
		new Thread(q).start();
		q.run();
	}
}

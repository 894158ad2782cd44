/* A cleaner's actions run in its thread, or where clean is called, each once. */
import java.lang.ref.Cleaner;

public class CleanerActions {
	static final Cleaner cleaner = Cleaner.create();
	static int cleaned;

	static class State implements Runnable {
		boolean open = true;

		public void run() {
			open = false; // NORACE
			cleaned++; // RACE
		}
	}

	static class Resource implements AutoCloseable {
		final Cleaner.Cleanable cleanable = cleaner.register(this, new State());

		public void close() {
			cleanable.clean();
		}
	}

	public static void main(String[] args) {
		try (Resource r = new Resource()) {
			System.out.println(cleaned); // RACE
		}
	}
}

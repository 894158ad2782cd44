/* A builder that each thread makes, and one that both share. */
public class Builder {
	static class Build {
		private int parts;

		Build add() {
			parts++; // RACE
			return this;
		}
	}

	static class Own {
		private int parts;

		Own add() {
			parts++; // NORACE
			return this;
		}
	}

	static final Build shared = new Build();

	static void work() {
		new Own().add().add();
		shared.add().add();
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

/* An immutable state is replaced by compare-and-set; a mutable one is changed in place. */
import java.util.concurrent.atomic.AtomicReference;
public class AtomicReferenceState {
	static class State {
		final int n;
		int hits;

		State(int n) {
			this.n = n; // NORACE
		}
	}
	static final AtomicReference<State> state = new AtomicReference<>(new State(0));

	static void step() {
		State old, next;
		do {
			old = state.get();
			next = new State(old.n + 1); // NORACE
		} while (!state.compareAndSet(old, next));
		state.get().hits++; // RACE
	}

	public static void main(String[] args) {
		new Thread(AtomicReferenceState::step).start();
		step();
	}
}

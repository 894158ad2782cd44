/* Functions that atomic variables are given run in the caller, again where they must; what a stamped reference holds is shared. */
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.LongAccumulator;

public class AtomicFunctions {
	static class State {
		int v;
		final int fixed = 1;
	}

	static int sums, updates, merges;
	static final LongAccumulator sum = new LongAccumulator((x, y) -> {
		sums++; // RACE
		return x + y;
	}, 0);
	static final AtomicIntegerArray cells = new AtomicIntegerArray(4);
	static final AtomicReferenceArray<State> states = new AtomicReferenceArray<>(4);
	static final AtomicStampedReference<State> stamped = new AtomicStampedReference<>(new State(), 0);

	static void work() {
		sum.accumulate(3);
		cells.updateAndGet(0, x -> {
			updates++; // RACE
			return x + 1;
		});
		states.accumulateAndGet(0, new State(), (x, y) -> {
			merges++; // RACE
			return y;
		});
		System.out.println(stamped.getReference().fixed); // NORACE
		stamped.getReference().v++; // RACE
	}

	public static void main(String[] args) {
		new Thread(AtomicFunctions::work).start();
		work();
	}
}

/* A class that promises to be made for threads is called from its package, too. */
// FLAGS: --open OpenPromise
@OpenPromise.ThreadSafe
public class OpenPromise {
	@interface ThreadSafe {
	}

	private int kept, broken, mine;

	synchronized void add() {
		kept++; // NORACE
		broken++; // RACE
	}

	int get() {
		return broken; // RACE
	}

	private void never() {
		mine++; // NORACE
	}
}

/* An open program: callers share the object; one method forgets the monitor. */
// FLAGS: --open OpenCounter
public class OpenCounter {
	private int good, bad;

	public synchronized void add() {
		good++; // NORACE
		bad++; // RACE
	}

	public synchronized int good() {
		return good; // NORACE
	}

	public int bad() {
		return bad; // RACE
	}
}

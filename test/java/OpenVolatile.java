/* An open program with a volatile switch, and a plain one. */
// FLAGS: --open OpenVolatile
public class OpenVolatile {
	private volatile boolean closed;
	private boolean bad;

	public void close() {
		closed = true; // NORACE
		bad = true; // RACE
	}

	public boolean isClosed() {
		return closed; // NORACE
	}

	public boolean bad() {
		return bad; // RACE
	}
}

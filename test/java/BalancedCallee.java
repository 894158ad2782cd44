/* A callee takes monitors that its caller has no name for, the caller's own perhaps among them,
 * and gives each back: the caller still holds its monitor. */
public class BalancedCallee {
	final BalancedCallee next;
	int good, bad;

	BalancedCallee(BalancedCallee next) {
		this.next = next;
	}

	synchronized int get() {
		return good; // NORACE
	}

	synchronized void add() {
		for (BalancedCallee b = this; b != null; b = b.next)
			if (b.get() > 100)
				throw new IllegalStateException();
		good++; // NORACE
		bad++; // RACE
	}

	int peek() {
		return bad; // RACE
	}

	public static void main(String[] args) {
		BalancedCallee x = new BalancedCallee(new BalancedCallee(null));
		new Thread(() -> x.add()).start();
		x.add();
		System.out.println(x.peek());
	}
}

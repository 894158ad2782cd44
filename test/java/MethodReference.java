/* A task given as a method reference. */
public class MethodReference {
	int bad;
	private int good;

	synchronized void add() {
		good++; // NORACE
	}

	void raw() {
		bad++; // RACE
	}

	public static void main(String[] args) {
		MethodReference m = new MethodReference();
		new Thread(m::add).start();
		new Thread(m::raw).start();
		m.add();
		m.raw();
	}
}

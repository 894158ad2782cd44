/* A subclass overrides a synchronized method and stays synchronized. */
public class SubclassLocked {
	int n;

	synchronized void add() {
		n++; // NORACE
	}

	static class Sub extends SubclassLocked {
		int own;

		@Override
		synchronized void add() {
			own++; // NORACE
			super.add();
			n++; // NORACE
		}
	}

	public static void main(String[] args) {
		SubclassLocked s = new Sub();
		new Thread(s::add).start();
		s.add();
	}
}

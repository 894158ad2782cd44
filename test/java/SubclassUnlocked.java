/* A subclass overrides a synchronized method without the keyword. */
public class SubclassUnlocked {
	int n;

	synchronized void add() {
		n++; // RACE
	}

	static class Sub extends SubclassUnlocked {
		int own;

		@Override
		void add() {
			own++; // RACE
			super.add();
			n++; // RACE
		}
	}

	public static void main(String[] args) {
		SubclassUnlocked s = new Sub();
		new Thread(s::add).start();
		s.add();
	}
}

/* An anonymous class captures a local object. */
public class AnonymousClass {
	static class Box {
		int bad, good;
	}

	public static void main(String[] args) throws Exception {
		final Box b = new Box();
		Thread t = new Thread(new Runnable() {
			public void run() {
				b.bad = 1; // RACE
				b.good = 1; // NORACE
			}
		});
		b.good = 2; // NORACE
		t.start();
		b.bad = 2; // RACE
		t.join();
		b.good = 3; // NORACE
	}
}

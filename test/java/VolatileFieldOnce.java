/* A volatile field that is zero when its object is made, set once, and tested once. */
public class VolatileFieldOnce {
	private int answer, early;
	private volatile boolean ready;

	void write() {
		answer = 42; // NORACE
		ready = true;
		early = 1; // RACE
	}

	int read() {
		return ready ? answer // NORACE
				+ early // RACE
			     : -1;
	}

	public static void main(String[] args) {
		VolatileFieldOnce v = new VolatileFieldOnce();
		new Thread(v::write).start();
		System.out.println(v.read());
	}
}

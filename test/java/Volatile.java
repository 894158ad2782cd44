/* A flag that is volatile orders what was written before it; one that is not, does not. */
public class Volatile {
	static int bad, good;
	static boolean plain;
	static volatile boolean flag;

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			bad = 1; // RACE
			plain = true; // RACE
		});
		t.start();
		if (plain) // RACE
			bad = 2; // RACE
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			flag = true; // NORACE
		});
		t.start();
		boolean x = flag; // NORACE
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

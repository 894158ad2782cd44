/* A join with a timeout orders nothing, even if isAlive is not asked. */
public class JoinTimed {
	static int bad, good;

	public static void main(String[] args) throws Exception {
		Thread a = new Thread(() -> bad = 1); // RACE
		Thread b = new Thread(() -> good = 1); // NORACE
		a.start();
		a.join(10);
		bad = 2; // RACE
		b.start();
		b.join();
		good = 2; // NORACE
	}
}

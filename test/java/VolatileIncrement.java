/* volatile++ loses updates, but is no data race; the same on a plain field is one. */
public class VolatileIncrement {
	static volatile int lossy;
	static int bad;

	static void work() {
		lossy++; // NORACE
		bad++; // RACE
	}

	public static void main(String[] args) {
		new Thread(VolatileIncrement::work).start();
		work();
	}
}

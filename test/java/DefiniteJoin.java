/* A join does not make uncertain what comes behind it, if the thread that it waits for ends; a
 * thread that may wait for ever does, and so does a monitor that is null. */
public class DefiniteJoin {
	static int behind, never, unlocked;
	static Object lock;

	public static void main(String[] args) throws InterruptedException {
		Thread other = new Thread(() -> {
			behind = 1; // RACE definite
			never = 1; // RACE !definite
			unlocked = 1; // RACE !definite
		});
		Thread ends = new Thread(() -> { });
		Thread waits = new Thread(() -> {
			while (args.length == 0)
				Thread.yield();
		});
		other.start();
		ends.start();
		waits.start();
		ends.join();
		behind = 2; // RACE definite
		if (args.length > 1)
			lock = args;
		synchronized (lock) {
			unlocked = 2; // RACE !definite
		}
		waits.join();
		never = 2; // RACE !definite
	}
}

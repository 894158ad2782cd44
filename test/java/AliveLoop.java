/* Who asks until a thread has ended comes behind it; who asks once does not. */
public class AliveLoop {
	static int ended, once;
	public static void main(String[] args) throws Exception {
		Thread t = new Thread(() -> { ended = 1; }); // NORACE
		t.start();
		while (t.isAlive())
			Thread.sleep(1);
		System.out.println(ended); // NORACE
		Thread u = new Thread(() -> { once = 1; }); // RACE
		u.start();
		if (u.isAlive())
			Thread.sleep(1);
		System.out.println(once); // RACE
	}
}

/* interrupt and isInterrupted; data that is written before the interrupt. */
public class InterruptFlag {
	static int bad;
	static volatile int good;

	public static void main(String[] args) {
		Thread t = new Thread(() -> {
			while (!Thread.currentThread().isInterrupted())
				Thread.onSpinWait();
			System.out.println(good); // NORACE
			System.out.println(bad); // RACE possible
		});
		t.start();
		good = 1; // NORACE
		bad = 1; // RACE possible
		t.interrupt();
	}
}

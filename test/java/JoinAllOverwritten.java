/* Two batches of threads in one array: the first is joined by nobody. */
public class JoinAllOverwritten {
	static int x;
	public static void main(String[] a) throws InterruptedException {
		Thread[] t = new Thread[4];
		for (int r = 0; r < 2; r++)
			for (int i = 0; i < 4; i++) { t[i] = new Thread(() -> { synchronized (JoinAllOverwritten.class) { x++; } }); t[i].start(); } // RACE
		for (int i = 0; i < 4; i++) t[i].join();
		System.out.println(x); // RACE
	}
}

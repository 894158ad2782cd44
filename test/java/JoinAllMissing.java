/* A join loop that stops one short of the threads. */
public class JoinAllMissing {
	static int x;
	public static void main(String[] a) throws InterruptedException {
		Thread[] t = new Thread[4];
		for (int i = 0; i < 4; i++) { t[i] = new Thread(() -> { synchronized (JoinAllMissing.class) { x++; } }); t[i].start(); } // RACE
		for (int i = 0; i < 3; i++) t[i].join();
		System.out.println(x); // RACE
	}
}

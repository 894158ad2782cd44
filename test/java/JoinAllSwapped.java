/* An element of the array of threads is lost before the join loop. */
public class JoinAllSwapped {
	static int x;
	public static void main(String[] a) throws InterruptedException {
		Thread[] t = new Thread[4];
		for (int i = 0; i < 4; i++) { t[i] = new Thread(() -> { synchronized (JoinAllSwapped.class) { x++; } }); t[i].start(); } // RACE
		t[2] = t[1];
		for (int i = 0; i < 4; i++) t[i].join();
		System.out.println(x); // RACE
	}
}

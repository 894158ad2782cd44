/* A join-all loop that goes on after an interrupt, where nobody interrupts. */
public class JoinAllCatch {
	static int x;
	public static void main(String[] a) {
		Thread[] t = new Thread[2];
		for (int i = 0; i < 2; i++) { t[i] = new Thread() { public void run() { synchronized (JoinAllCatch.class) { x++; } } }; t[i].start(); } // NORACE
		for (int i = 0; i < 2; i++)
			try { t[i].join(); } catch (InterruptedException e) { e.printStackTrace(); }
		System.out.println(x); // NORACE
	}
}

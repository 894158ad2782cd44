/* Threads in an array, each with a cell of its own: all are joined in a loop before main reads. */
public class JoinAllArray {
	static int[] sum = new int[4];
	static int total, early;
	public static void main(String[] a) throws InterruptedException {
		Thread[] ts = new Thread[4];
		for (int i = 0; i < ts.length; i++) {
			final int k = i;
			ts[i] = new Thread(() -> {
				sum[k] = k * k; // NORACE
				early = k; // RACE
			});
			ts[i].start();
		}
		early = 9; // RACE
		for (int i = 0; i < ts.length; i++)
			ts[i].join();
		for (int i = 0; i < 4; i++)
			total += sum[i]; // NORACE
		System.out.println(total + early); // NORACE
	}
}

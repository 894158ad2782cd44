/* Two threads write an element each of an array that both captured; two others the same one. */
public class CapturedElements {
	public static void main(String[] args) throws Exception {
		int[] apart = new int[2], both = new int[2];
		Thread a = new Thread(() -> {
			apart[0] = 1; // NORACE
			both[1] = 1; // RACE
		});
		Thread b = new Thread(() -> {
			apart[1] = 2; // NORACE
			both[1] = 2; // RACE
		});
		a.start();
		b.start();
		a.join();
		b.join();
		System.out.println(apart[0] + apart[1] + both[1]); // NORACE
	}
}

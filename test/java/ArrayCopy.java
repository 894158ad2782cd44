/* System.arraycopy reads and writes elements. */
public class ArrayCopy {
	static int[] bad = new int[8], good = new int[8];

	public static void main(String[] args) throws Exception {
		Thread t = new Thread(() -> {
			System.arraycopy(bad, 0, good, 0, 8); // RACE
		});
		t.start();
		bad[1] = 2; // RACE
		t.join();
		good[1]++; // NORACE
	}
}

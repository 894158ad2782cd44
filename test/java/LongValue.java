/* A long that is torn, and a volatile one. */
public class LongValue {
	static long torn;
	static volatile long whole;
	static double plain;

	public static void main(String[] args) {
		new Thread(() -> {
			torn = -1L; // RACE
			whole = -1L; // NORACE
			plain = 1.5; // RACE
		}).start();
		System.out.println(torn); // RACE
		System.out.println(whole); // NORACE
		System.out.println(plain); // RACE
	}
}

/* An object in a plain static field is seen half made; in a final field it is not. */
public class UnsafePublication {
	int x;
	final int y;
	static UnsafePublication it;

	UnsafePublication() {
		x = 1; // RACE possible
		y = 2; // NORACE
	}

	public static void main(String[] args) {
		new Thread(() -> it = new UnsafePublication()).start(); // RACE
		UnsafePublication o = it; // RACE
		if (o != null) {
			System.out.println(o.x); // RACE possible
			System.out.println(o.y); // NORACE
		}
	}
}

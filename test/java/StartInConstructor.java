/* A thread that a constructor starts sees the object half made. */
public class StartInConstructor {
	final int before, behind;

	StartInConstructor() {
		before = 1; // NORACE
		new Thread(() -> show()).start();
		behind = 2; // RACE
	}

	void show() {
		System.out.println(before); // NORACE
		System.out.println(behind); // RACE
	}

	public static void main(String[] args) {
		new StartInConstructor();
	}
}

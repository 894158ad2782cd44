/* Two writes that nothing orders are certain to race; one behind a condition is not. */
public class DefiniteStatic {
	static int sure, perhaps;

	public static void main(String[] args) {
		new Thread(() -> {
			sure = 1; // RACE definite
			perhaps = 1; // RACE !definite
		}).start();
		sure = 2; // RACE definite
		if (args.length > 0)
			perhaps = 2; // RACE !definite
	}
}

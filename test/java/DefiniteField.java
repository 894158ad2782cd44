/* A field of an object that both threads certainly have. */
public class DefiniteField {
	int sure;

	public static void main(String[] args) {
		DefiniteField d = new DefiniteField();
		Thread t = new Thread() {
			public void run() {
				d.sure = 1; // RACE definite
			}
		};
		t.start();
		d.sure = 2; // RACE definite
	}
}

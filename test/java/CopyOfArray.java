/* Arrays.copyOf reads the elements of what it copies; the copy is the caller's own. */
// BODIES: java.util.Arrays.copyOf
import java.util.Arrays;
public class CopyOfArray {
	static final String[] bad = new String[4];

	static void copy() {
		String[] mine = Arrays.copyOf(bad, 8); // RACE
		mine[0] = "x"; // NORACE
		System.out.println(mine[1]); // NORACE
	}

	public static void main(String[] args) {
		new Thread(CopyOfArray::copy).start();
		new Thread(CopyOfArray::copy).start();
		bad[1] = "y"; // RACE
	}
}

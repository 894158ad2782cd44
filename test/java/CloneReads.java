/* A clone reads every field of its original. */
public class CloneReads implements Cloneable {
	int v; int own;
	public static void main(String[] a) throws CloneNotSupportedException {
		CloneReads o = new CloneReads();
		new Thread(() -> o.v = 2).start(); // RACE
		CloneReads c = (CloneReads) o.clone(); // RACE
		c.own = 3; // NORACE
	}
}

/* A clone and its original lead to the same array. */
public class CloneShares implements Cloneable {
	int v; int[] arr = new int[2];
	public CloneShares copy() { try { return (CloneShares) clone(); } catch (CloneNotSupportedException e) { return null; } }
	public static void main(String[] a) {
		CloneShares o = new CloneShares();
		new Thread(() -> {
			CloneShares c = o.copy();
			c.arr[0] = 2; // RACE
		}).start();
		o.arr[0] = 1; // RACE
	}
}

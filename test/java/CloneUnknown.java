/* Nothing is known of what library code without a body makes; but what is cloned in a class's own method is of that class, and of no other. */
public class CloneUnknown implements Cloneable {
	int v;

	static class Other {
		int w;
	}

	static volatile Object box;

	CloneUnknown copy() throws CloneNotSupportedException {
		return (CloneUnknown) super.clone();
	}

	public static void main(String[] a) throws Exception {
		Object made = new CloneUnknown();
		new Other().w = 3;
		if (a.length > 0)
			made = java.text.NumberFormat.getInstance().parseObject(a[0]);
		box = ((CloneUnknown) made).copy();
		new Thread(() -> ((CloneUnknown) box).v = 1).start(); // RACE
		new Thread(() -> ((Other) box).w = 1).start(); // NORACE
		((CloneUnknown) box).v = 2; // RACE
		((Other) box).w = 2; // NORACE
	}
}

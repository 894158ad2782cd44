/* Publication through a variable handle: release and acquire order, opaque does not. */
import java.lang.invoke.*;
public class VariableHandlePublish {
	static class Box { int v; int w; }
	Box rel, pl;
	static final VarHandle R, P;
	static {
		try {
			MethodHandles.Lookup l = MethodHandles.lookup();
			R = l.findVarHandle(VariableHandlePublish.class, "rel", Box.class);
			P = l.findVarHandle(VariableHandlePublish.class, "pl", Box.class);
		} catch (ReflectiveOperationException e) { throw new Error(e); }
	}
	public static void main(String[] a) {
		VariableHandlePublish s = new VariableHandlePublish();
		new Thread(() -> {
			Box b = (Box) R.getAcquire(s);
			if (b != null) System.out.println(b.v); // NORACE
			Box c = (Box) P.getOpaque(s);
			if (c != null) System.out.println(c.w); // RACE possible
		}).start();
		Box b = new Box();
		b.v = 1; // NORACE
		R.setRelease(s, b);
		Box c = new Box();
		c.w = 1; // RACE possible
		P.setOpaque(s, c);
	}
}

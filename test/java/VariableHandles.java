/* Accesses through variable handles: atomic ones, and a plain one. */
import java.lang.invoke.*;
public class VariableHandles {
	static int good, plain;
	int inst;
	static final VarHandle G, P, I;
	static {
		try {
			MethodHandles.Lookup l = MethodHandles.lookup();
			G = l.findStaticVarHandle(VariableHandles.class, "good", int.class);
			P = l.findStaticVarHandle(VariableHandles.class, "plain", int.class);
			I = l.findVarHandle(VariableHandles.class, "inst", int.class);
		} catch (ReflectiveOperationException e) { throw new Error(e); }
	}
	static VariableHandles shared = new VariableHandles();
	static void work() {
		G.getAndAdd(1); // NORACE
		G.setVolatile(5); // NORACE
		P.set(3); // RACE
		I.getAndAdd(shared, 1); // NORACE
	}
	public static void main(String[] a) throws Exception {
		Thread t = new Thread(VariableHandles::work);
		t.start();
		work();
		t.join();
		System.out.println(good + plain); // NORACE
	}
}

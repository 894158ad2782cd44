/* Field updaters access the field itself. */
import java.util.concurrent.atomic.*;
public class Updaters {
	volatile int n;
	volatile Updaters next;
	int plain;
	static final AtomicIntegerFieldUpdater<Updaters> N = AtomicIntegerFieldUpdater.newUpdater(Updaters.class, "n");
	static final AtomicReferenceFieldUpdater<Updaters, Updaters> X = AtomicReferenceFieldUpdater.newUpdater(Updaters.class, Updaters.class, "next");
	public static void main(String[] a) {
		Updaters s = new Updaters();
		Runnable r = () -> {
			N.incrementAndGet(s); // NORACE
			s.plain++; // RACE
			Updaters f = new Updaters();
			f.plain = 3; // NORACE
			X.compareAndSet(s, null, f);
			Updaters g = s.next;
			if (g != null) System.out.println(g.plain); // NORACE
		};
		new Thread(r).start();
		new Thread(r).start();
	}
}

/* What passes through a lock-free queue is shared behind it. */
import java.util.concurrent.*;
public class LinkedQueueHandOver {
	static class M { int before, after; }
	static final ConcurrentLinkedQueue<M> q = new ConcurrentLinkedQueue<>();
	public static void main(String[] a) {
		new Thread(() -> {
			M m = q.poll();
			if (m != null) { System.out.println(m.before); // NORACE-LIKELY
				System.out.println(m.after); } // RACE
		}).start();
		M m = new M();
		m.before = 1; // NORACE-LIKELY
		q.offer(m);
		m.after = 2; // RACE
	}
}

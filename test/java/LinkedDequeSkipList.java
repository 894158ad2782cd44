/* The same through a lock-free deque and a skip list. */
import java.util.concurrent.*;
public class LinkedDequeSkipList {
	static class M { int before, after; }
	static final ConcurrentSkipListMap<String, M> q = new ConcurrentSkipListMap<>();
	static final ConcurrentLinkedDeque<M> dq = new ConcurrentLinkedDeque<>();
	public static void main(String[] a) {
		new Thread(() -> {
			M m = q.get("a");
			if (m != null) System.out.println(m.after); // RACE
			M n = dq.pollLast();
			if (n != null) System.out.println(n.before); // RACE
		}).start();
		M m = new M();
		q.put("a", m);
		m.after = 2; // RACE
		M n = new M();
		dq.push(n);
		n.before = 3; // RACE
	}
}

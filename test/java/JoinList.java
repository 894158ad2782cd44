/* Threads in a list, each joined: what follows is hardly beside them. */
import java.util.*;
public class JoinList {
	static int done, racy;
	public static void main(String[] a) throws InterruptedException {
		List<Thread> ts = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			Thread t = new Thread(() -> { synchronized (JoinList.class) { done++; } racy++; }); // RACE
			ts.add(t);
			t.start();
		}
		for (Thread t : ts) t.join();
		System.out.println(done); // NORACE-LIKELY
	}
}

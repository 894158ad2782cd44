/* A meta search as in hedc: tasks with a result and a thread to interrupt; cancel races with run's end. */
import java.util.*;
public class MetaSearch {
	static abstract class Task implements Runnable {
		protected Object result;
		protected Thread worker;
		boolean valid = true;
		synchronized Object result() {
			return result; // NORACE
		}
		public void run() {
			worker = Thread.currentThread(); // RACE
			Object r = fetch();
			synchronized (this) {
				result = r; // NORACE
			}
			worker = null; // RACE
		}
		abstract Object fetch();
		void cancel() {
			valid = false; // RACE
			if (worker != null) // RACE
				worker.interrupt(); // RACE
		}
	}
	static class Search extends Task {
		final String site;
		Search(String s) {
			site = s;
		}
		Object fetch() {
			return valid ? site + "!" : null; // RACE
		}
	}
	static class Pool {
		private final LinkedList<Runnable> q = new LinkedList<>();
		Pool(int n) {
			for (int i = 0; i < n; i++)
				new Thread(this::loop).start();
		}
		void loop() {
			for (;;) {
				Runnable r;
				synchronized (q) {
					while (q.isEmpty()) { // NORACE-LIKELY
						try {
							q.wait();
						} catch (InterruptedException e) {
							return;
						}
					}
					r = q.removeFirst(); // NORACE-LIKELY
				}
				r.run();
			}
		}
		void submit(Runnable r) {
			synchronized (q) {
				q.addLast(r); // NORACE-LIKELY
				q.notify();
			}
		}
	}
	public static void main(String[] args) {
		Pool p = new Pool(3);
		List<Task> tasks = new ArrayList<>();
		for (String a : args) {
			Task t = new Search(a);
			tasks.add(t);
			p.submit(t);
		}
		for (Task t : tasks) {
			System.out.println(t.result());
			t.cancel();
		}
	}
}

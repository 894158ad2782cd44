/* A crawler with a frontier under a lock, a visited set of its own lock, and a count of active workers. */
import java.util.*;
public class CrawlerWorkers {
	private final Queue<String> frontier = new LinkedList<>();
	private final Set<String> seen = Collections.synchronizedSet(new HashSet<>());
	private int active;
	private int pages;
	private long bytes;
	private String next() throws InterruptedException {
		synchronized (frontier) {
			while (frontier.isEmpty()) { // NORACE-LIKELY
				if (active == 0) // NORACE
					return null;
				frontier.wait();
			}
			active++; // NORACE
			return frontier.remove(); // NORACE-LIKELY
		}
	}
	private void done(List<String> links) {
		synchronized (frontier) {
			for (String l : links)
				if (seen.add(l)) // NORACE-LIKELY
					frontier.add(l); // NORACE-LIKELY
			active--; // NORACE
			frontier.notifyAll();
		}
	}
	private void loop() {
		try {
			String u;
			while ((u = next()) != null) {
				List<String> links = new ArrayList<>();
				for (int i = 0; i < u.length(); i++)
					links.add(u.substring(i)); // NORACE
				pages++; // RACE
				synchronized (this) {
					bytes += u.length(); // NORACE
				}
				done(links);
			}
		} catch (InterruptedException e) {
		}
	}
	public static void main(String[] args) throws InterruptedException {
		CrawlerWorkers c = new CrawlerWorkers();
		c.frontier.add(args[0]); // NORACE
		Thread[] t = new Thread[4];
		for (int i = 0; i < 4; i++) {
			t[i] = new Thread(c::loop);
			t[i].start();
		}
		for (int i = 0; i < 4; i++)
			t[i].join();
		System.out.println(c.pages + c.bytes); // NORACE
	}
}

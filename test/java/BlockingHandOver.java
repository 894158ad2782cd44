/* What goes through a blocking queue is handed over; what stays is not. */
import java.util.*;
import java.util.concurrent.*;
public class BlockingHandOver {
	static class Job {
		int good;
	}

	static int bad;
	static final BlockingQueue<Job> queue = new LinkedBlockingQueue<>();

	public static void main(String[] args) throws Exception {
		new Thread(() -> {
			try {
				Job j = queue.take();
				j.good++; // NORACE-LIKELY
				bad++; // RACE
			} catch (InterruptedException e) {
			}
		}).start();
		Job j = new Job();
		j.good = 1; // NORACE-LIKELY
		queue.put(j);
		bad++; // RACE
	}
}

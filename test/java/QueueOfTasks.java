/* A worker takes requests from a queue; what the sender keeps changing races. */
import java.util.concurrent.*;
public class QueueOfTasks {
	static class Request {
		int good, bad;
	}
	static final BlockingQueue<Request> queue = new LinkedBlockingQueue<>();

	static void serve() {
		try {
			Request r = queue.take();
			System.out.println(r.good); // NORACE-LIKELY
			System.out.println(r.bad); // RACE
		} catch (InterruptedException e) {
			return;
		}
	}

	public static void main(String[] args) throws Exception {
		new Thread(QueueOfTasks::serve).start();
		Request r = new Request();
		r.good = 1; // NORACE-LIKELY
		queue.put(r);
		r.bad = 2; // RACE
	}
}

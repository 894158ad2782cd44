/* A queue whose count is asked for without the monitor, by whoever has just taken something: the producer goes on. */
public class CountedQueue {
	private final Object[] items = new Object[4];
	private int count, taken, announced;

	synchronized void put(Object x) throws InterruptedException {
		while (count == items.length)
			wait();
		items[count++] = x; // RACE
		notifyAll();
	}

	synchronized Object take() throws InterruptedException {
		while (count == 0)
			wait();
		taken++; // NORACE
		notifyAll();
		return items[--count];
	}

	int size() {
		return count; // RACE
	}

	synchronized void announce() {
		announced = 1; // NORACE-LIKELY
		count = 0;
		notifyAll();
	}

	/* What was written once before anything was put. */
	int announced() {
		return announced; // NORACE-LIKELY
	}

	static void produce(CountedQueue q) throws InterruptedException {
		q.announce();
		for (int i = 0; i < 9; i++)
			q.put("x");
	}

	static void consume(CountedQueue q) throws InterruptedException {
		for (int i = 0; i < 9; i++) {
			q.take();
			System.out.println(q.size() + q.announced());
		}
	}

	public static void main(String[] args) {
		CountedQueue q = new CountedQueue();
		new Thread(() -> {
			try {
				produce(q);
			} catch (InterruptedException e) {
			}
		}).start();
		new Thread(() -> {
			try {
				consume(q);
			} catch (InterruptedException e) {
			}
		}).start();
	}
}

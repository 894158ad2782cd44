/* A bounded buffer with wait and notifyAll; its statistics are read without the monitor. */
public class ProducerConsumer {
	private final int[] ring = new int[4];
	private int head, tail, count, total;

	synchronized void put(int x) throws InterruptedException {
		while (count == ring.length) // NORACE
			wait();
		ring[tail] = x; // NORACE-LIKELY
		tail = (tail + 1) % ring.length; // NORACE
		count++; // NORACE
		total++; // RACE
		notifyAll();
	}

	synchronized int take() throws InterruptedException {
		while (count == 0) // NORACE
			wait();
		int x = ring[head]; // NORACE-LIKELY
		head = (head + 1) % ring.length; // NORACE
		count--; // NORACE
		notifyAll();
		return x;
	}

	int total() {
		return total; // RACE
	}

	public static void main(String[] args) throws Exception {
		ProducerConsumer b = new ProducerConsumer();
		new Thread(() -> {
			try {
				b.put(1);
			} catch (InterruptedException e) {
				return;
			}
		}).start();
		System.out.println(b.take() + b.total());
	}
}

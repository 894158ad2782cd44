/* A scheduler with one thread: its tasks follow each other; the main thread resets without. */
import java.util.concurrent.*;
public class ScheduledStatistics {
	private final ScheduledExecutorService s = Executors.newSingleThreadScheduledExecutor();
	private int ticks, own, reset;
	private long last;
	void start() {
		s.scheduleAtFixedRate(() -> {
			own++; // NORACE
			ticks++; // RACE
		}, 1, 1, TimeUnit.SECONDS);
		s.scheduleWithFixedDelay(() -> {
			own--; // NORACE
			synchronized (this) {
				last = System.nanoTime(); // NORACE
			}
		}, 1, 1, TimeUnit.SECONDS);
	}
	void reset() {
		ticks = 0; // RACE
		synchronized (this) {
			last = 0; // NORACE
		}
	}
	public static void main(String[] args) {
		ScheduledStatistics t = new ScheduledStatistics();
		t.start();
		t.reset();
	}
}

/* Scheduled tasks of one thread, and of two schedulers. */
import java.util.*;
import java.util.concurrent.*;
public class SingleThreadScheduled {
	static int bad, good;

	public static void main(String[] args) {
		ScheduledExecutorService one = Executors.newSingleThreadScheduledExecutor();
		ScheduledExecutorService two = Executors.newSingleThreadScheduledExecutor();
		one.scheduleAtFixedRate(() -> {
			good++; // NORACE
			bad++; // RACE
		}, 1, 1, TimeUnit.SECONDS);
		one.schedule(() -> {
			good++; // NORACE
		}, 1, TimeUnit.SECONDS);
		two.schedule(() -> {
			bad++; // RACE
		}, 1, TimeUnit.SECONDS);
	}
}

/* A task that is run later still runs beside the rest. */
import java.util.concurrent.*;
public class Scheduled {
	static int bad, good;

	public static void main(String[] args) throws Exception {
		ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
		pool.schedule(() -> {
			bad++; // RACE
		}, 1, TimeUnit.SECONDS);
		bad++; // RACE
		good++; // NORACE
		pool.schedule(() -> {
			good++; // NORACE
		}, 1, TimeUnit.SECONDS);
	}
}

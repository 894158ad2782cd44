/* A timer's task runs in a thread of its own. */
// BODIES: java.util.Timer
import java.util.*;
public class Timers {
	static int bad, good;

	public static void main(String[] args) {
		Timer timer = new Timer();
		good++; // NORACE
		timer.schedule(new TimerTask() {
			@Override
			public void run() {
				bad++; // RACE
				good++; // NORACE
			}
		}, 10);
		bad++; // RACE
	}
}

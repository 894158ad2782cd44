/* Tasks of one timer follow each other, those of two do not. */
// BODIES: java.util.Timer
import java.util.*;
import java.util.concurrent.*;
public class TimerTasks {
	static int bad, good;

	static class Good extends TimerTask {
		public void run() {
			good++; // NORACE
		}
	}

	static class Bad extends TimerTask {
		public void run() {
			bad++; // RACE
		}
	}

	public static void main(String[] args) {
		Timer one = new Timer(), two = new Timer();
		one.schedule(new Good(), 10);
		one.schedule(new Good(), 20, 20);
		one.schedule(new Bad(), 10);
		two.schedule(new Bad(), 10);
	}
}

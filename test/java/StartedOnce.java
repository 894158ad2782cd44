/* A thread's object is started once, however often it is tried; the same object may be run in other ways,
 * and a loop may make many of them. */
import java.util.concurrent.*;
public class StartedOnce {
	static int single, looped, also, pooled, helped;

	static class Single extends Thread {
		public void run() {
			single++; // NORACE
		}
	}

	static class Looped extends Thread {
		public void run() {
			looped++; // RACE
		}
	}

	static class Also extends Thread {
		public void run() {
			also++; // RACE
		}
	}

	static class Pooled extends Thread {
		public void run() {
			pooled++; // RACE
		}
	}

	static class Helped extends Thread {
		public void run() {
			helped++; // RACE
		}
	}

	static void begin(Thread t) {
		t.start();
	}

	static Thread helper() {
		return new Helped();
	}

	public static void main(String[] args) {
		Single s = new Single();
		for (String a : args)
			s.start();
		for (String a : args)
			begin(new Looped());
		Also b = new Also();
		b.start();
		b.run();
		Pooled p = new Pooled();
		ExecutorService pool = Executors.newFixedThreadPool(2);
		for (String a : args)
			pool.execute(p);
		Thread[] two = {helper(), helper()};
		for (Thread t : two)
			t.start();
	}
}

/* A semaphore without permits hands over; one that is released too early does not. */
import java.util.concurrent.*;
public class Semaphores {
	static int bad, good;
	static final Semaphore early = new Semaphore(0), late = new Semaphore(0);

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			early.release();
			bad = 1; // RACE
		});
		t.start();
		early.acquire();
		bad = 2; // RACE
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			good = 1; // NORACE
			late.release();
		});
		t.start();
		late.acquire();
		good = 2; // NORACE
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

/* What is handed over by an exchanger, and what is not. */
// BODIES: java.util.concurrent.Exchanger
import java.util.*;
import java.util.concurrent.*;
public class Exchange {
	static class Page {
		int text;
	}

	static int bad;
	static final Exchanger<Page> meet = new Exchanger<>();

	public static void main(String[] args) throws Exception {
		new Thread(() -> {
			try {
				Page p = new Page();
				p.text = 1; // NORACE-LIKELY
				meet.exchange(p);
				bad = 1; // RACE
			} catch (InterruptedException e) {
			}
		}).start();
		Page q = meet.exchange(new Page());
		bad = 2; // RACE
		if (q != null)
			q.text = 2; // NORACE-LIKELY
	}
}

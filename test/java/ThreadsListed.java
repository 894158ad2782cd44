/* Threads in an array that lists them, started and joined in loops: each is started once, whatever its
 * class, and all have ended behind the second loop, unless an element is another one by then. */
public class ThreadsListed {
	static int one, two, same, swapped, early, listed;

	static class First extends Thread {
		public void run() {
			one++; // NORACE
		}
	}

	static class Second extends Thread {
		public void run() {
			two++; // NORACE
		}
	}

	static class Third extends Thread {
		public void run() {
			swapped++; // RACE
		}
	}

	static void classes() throws Exception {
		Thread[] all = {new First(), new Second()};
		for (Thread t : all)
			t.start();
		for (Thread t : all)
			t.join();
		System.out.println(one + two); // NORACE
	}

	static void tasks() throws Exception {
		Runnable r = () -> {
			same++; // RACE
			synchronized (ThreadsListed.class) {
				listed++; // NORACE
			}
		};
		Thread[] all = {new Thread(r), new Thread(r, "second"), new Thread(() -> r.run())};
		for (Thread t : all)
			t.start();
		for (int i = 0; i < all.length; i++)
			all[i].join();
		System.out.println(listed); // NORACE
	}

	static void replaced() throws Exception {
		Thread[] all = {new Third()};
		for (Thread t : all)
			t.start();
		all[0] = new Thread(() -> { });
		for (Thread t : all)
			t.join();
		System.out.println(swapped); // RACE
	}

	static void some() throws Exception {
		Thread[] all = {new Thread(() -> { early = 1; }), null}; // RACE
		for (int i = 0; i < 1; i++)
			all[i].start();
		for (int i = 1; i < 2; i++)
			if (all[i] != null)
				all[i].join();
		System.out.println(early); // RACE
	}

	public static void main(String[] args) throws Exception {
		classes();
		tasks();
		replaced();
		some();
	}
}

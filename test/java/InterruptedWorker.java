/* A worker that is stopped by interrupt or by a plain flag; its results are read after join with and without a timeout. */
public class InterruptedWorker {
	static class Worker extends Thread {
		boolean stop;
		volatile boolean vstop;
		int rounds, slow;
		@Override public void run() {
			while (!isInterrupted() && !stop && !vstop) { // RACE
				rounds++; // NORACE
				slow++; // RACE
				try {
					Thread.sleep(10);
				} catch (InterruptedException e) {
					interrupt();
				}
			}
		}
	}
	public static void main(String[] args) throws InterruptedException {
		Worker w = new Worker();
		w.start();
		w.stop = true; // RACE
		w.vstop = true; // NORACE
		w.interrupt();
		w.join(100);
		System.out.println(w.slow); // RACE
		w.join();
		System.out.println(w.rounds); // NORACE
	}
}

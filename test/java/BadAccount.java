/* The bad account of Flanagan and Freund 2001: deposits hold no lock. */
public class BadAccount {
	final Object lock = new Object();
	int balance = 0;

	void update(int n) {
		balance = n; // RACE
	}

	void deposit(int x) {
		update(balance + x); // RACE
	}

	static class Add100 extends Thread {
		final BadAccount a;

		Add100(BadAccount a) {
			this.a = a;
		}

		public void run() {
			a.deposit(100);
		}
	}

	public static void main(String[] args) {
		BadAccount a = new BadAccount();
		new Add100(a).start();
		new Add100(a).start();
	}
}

/* The account of Flanagan and Freund 2001: each deposit holds the account's lock. */
public class Account {
	final Object lock = new Object();
	int balance = 0;

	void update(int n) {
		balance = n; // NORACE
	}

	void deposit(int x) {
		synchronized (lock) {
			update(balance + x); // NORACE
		}
	}

	static class Add100 extends Thread {
		final Account a;

		Add100(Account a) {
			this.a = a;
		}

		public void run() {
			a.deposit(100);
		}
	}

	public static void main(String[] args) {
		Account a = new Account();
		new Add100(a).start();
		new Add100(a).start();
	}
}

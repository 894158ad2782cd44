/* Each object under its own monitor, and one under another's. */
public class PerObjectLock {
	static class Account {
		int good, bad;

		synchronized void add(Account other) {
			good++; // NORACE
			other.bad++; // RACE
		}
	}

	public static void main(String[] args) {
		Account a = new Account(), b = new Account();
		new Thread(() -> a.add(b)).start();
		new Thread(() -> b.add(b)).start();
		a.add(b);
	}
}

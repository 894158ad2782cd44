/* Kinds of accounts: one transfers without the lock of the account that it pays to, which all others hold. */
public class AccountSubtype {
	static abstract class Account {
		int amount;
		final String name;
		Account(String n, int a) {
			name = n;
			amount = a; // NORACE
		}
		synchronized void deposit(int m) {
			amount += m; // RACE
		}
		abstract void transfer(Account to, int m);
	}
	static class Business extends Account {
		Business(String n, int a) {
			super(n, a);
		}
		@Override synchronized void transfer(Account to, int m) {
			amount -= m; // RACE
			to.amount += m; // RACE
		}
	}
	static class Personal extends Account {
		int limit;
		Personal(String n, int a) {
			super(n, a);
		}
		@Override synchronized void transfer(Account to, int m) {
			synchronized (to) {
				limit++; // NORACE
			}
			to.deposit(m);
		}
	}
	public static void main(String[] args) throws InterruptedException {
		Account[] a = {new Business("a", 1), new Business("b", 2), new Personal("c", 3)};
		Thread[] t = new Thread[3];
		for (int i = 0; i < 3; i++) {
			Account x = a[i], y = a[(i + 1) % 3];
			t[i] = new Thread(() -> {
				x.deposit(300);
				x.transfer(y, 10);
			});
			t[i].start();
		}
		for (Thread x : t)
			x.join();
		System.out.println(a[0].amount); // NORACE
	}
}

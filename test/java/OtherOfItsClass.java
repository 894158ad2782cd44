/* Accounts made in one loop: who locks himself and pays to another one does not hold that one's monitor;
 * who is called with both, or locks both, does. A tree is locked at its root. */
public class OtherOfItsClass {
	static class Account {
		int amount, fee, bonus, visits;
		static Account bank = new Account();

		synchronized void deposit(int m) {
			amount += m; // RACE
		}
		synchronized void pay(Account to, int m) {
			amount -= m; // RACE
			to.amount += m; // RACE
		}
		synchronized void charge(int m) {
			fee += m; // NORACE-LIKELY
		}
		synchronized void chargeTo(Account to, int m) {
			to.fee += m; // NORACE-LIKELY
		}
		void reward(Account to) {
			synchronized (this) {
				synchronized (to) {
					to.bonus++; // NORACE
				}
			}
		}
	}
	static class Tree {
		Tree left;
		int count;

		synchronized void add() {
			if (left == null)
				left = new Tree();
			left.count++; // NORACE-LIKELY
		}
	}

	static void work(Account mine, Account other, Tree t) {
		mine.deposit(3);
		mine.pay(other, 1);
		mine.charge(1);
		synchronized (other) {
			mine.chargeTo(other, 1);
		}
		mine.reward(other);
		t.add();
	}

	public static void main(String[] args) {
		Account[] all = new Account[4];
		Tree tree = new Tree();
		for (int i = 0; i < all.length; i++)
			all[i] = new Account();
		for (int i = 0; i < all.length; i++) {
			Account mine = all[i], other = all[(i + 1) % all.length];
			new Thread(() -> work(mine, other, tree)).start();
		}
	}
}

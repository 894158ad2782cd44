/* An iterator's constructor asks its list, under the monitor of the list's owner. */
public class IteratorConstructor {
	static class Items {
		private final int[] at = new int[16];
		private int n;
		private int changes;

		void add(int x) {
			at[n] = x; // NORACE-LIKELY
			n++; // NORACE-LIKELY
			changes++; // RACE
		}

		int bound() {
			return n; // NORACE-LIKELY
		}

		int changes() {
			return changes; // RACE
		}

		Iter iter() {
			return new Iter(this);
		}
	}

	static class Iter {
		private final Items of;
		private final int end;
		private int next;

		Iter(Items of) {
			this.of = of;
			end = of.bound();
		}

		boolean hasNext() {
			return next < end;
		}

		int next() {
			return of.at[next++]; // NORACE-LIKELY
		}
	}

	static class Pool {
		private Items items = new Items();

		synchronized void put(int x) {
			items.add(x);
		}

		synchronized void clear() {
			items = new Items();
		}

		synchronized int sum() {
			int s = 0;
			for (Iter i = items.iter(); i.hasNext();)
				s += i.next();
			return s;
		}

		int changes() {
			return items.changes();
		}
	}

	static final Pool[] pools = new Pool[4];

	public static void main(String[] args) {
		for (int i = 0; i < pools.length; i++)
			pools[i] = new Pool();
		for (int i = 0; i < pools.length; i++) {
			new Thread(() -> {
				pools[1].put(1);
				pools[2].clear();
				System.out.println(pools[1].sum());
				System.out.println(pools[1].changes());
			}).start();
		}
	}
}

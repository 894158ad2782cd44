/* An array of a class holds nothing else, also where its elements come from a block
 * copy of an array of anything; an array of an interface holds both. */
public class ArrayStoreCheck {
	interface Job {
		void go();
	}

	static class First implements Job {
		int n;

		public void go() {
			n++; // NORACE
		}
	}

	static class Second implements Job {
		int n;

		public void go() {
			n++; // NORACE
		}
	}

	static class Third implements Job {
		int n;

		public void go() {
			n++; // RACE
		}
	}

	public static void main(String[] args) {
		Second second = new Second();
		Third third = new Third();
		Object[] all = {new First(), second, third};
		First[] first = new First[1];
		Object[] some = {new First(), third};
		Job[] any = new Job[1];

		System.arraycopy(all, 0, first, 0, 1);
		System.arraycopy(some, 1, any, 0, 1);
		new Thread(() -> {
			Job job = first[0];
			job.go();
			any[0].go();
		}).start();
		second.go();
		third.go();
	}
}

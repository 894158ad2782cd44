/* A lazily made object whose parts are filled before it is published, by its constructor or its maker; one is filled behind that. */
import java.util.HashMap;

public class LazyParts {
	static class Box {
		int early, late;

		void add(int k) {
			early += k; // NORACE-LIKELY
		}

		void addLate(int k) {
			late += k; // RACE
		}
	}

	static class Registry {
		private static volatile Registry instance;
		private final Box box = new Box(), byMaker = new Box();
		private final HashMap<String, Integer> map = new HashMap<>();

		Registry() {
			box.add(3);
			map.put("first", 1); // NORACE-LIKELY
		}

		static Registry get() {
			Registry r = instance;
			if (r == null) {
				synchronized (Registry.class) {
					r = instance;
					if (r == null) {
						r = new Registry();
						r.byMaker.early = 4; // NORACE-LIKELY
						r.map.put("second", 2); // NORACE-LIKELY
						instance = r;
						r.box.addLate(5);
					}
				}
			}
			return r;
		}

		synchronized int sum() {
			return box.early + byMaker.early + map.size(); // NORACE-LIKELY
		}

		synchronized void add(int k) {
			box.add(k);
			map.put("more", k); // NORACE-LIKELY
		}

		synchronized int late() {
			return box.late; // RACE
		}
	}

	public static void main(String[] args) {
		new Thread(() -> {
			Registry.get().add(1);
			System.out.println(Registry.get().late());
		}).start();
		System.out.println(Registry.get().sum() + Registry.get().late());
	}
}

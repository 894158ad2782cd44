/* Maps in an array, each under the lock of its own number; or under that of another. */
import java.util.HashMap;
import java.util.Map;

public class StripedMaps {
	static class Striped<K, V> {
		private final Object[] locks;
		private final Map<K, V>[] right, wrong;

		@SuppressWarnings("unchecked")
		Striped(int n) {
			locks = new Object[n];
			right = new Map[n];
			wrong = new Map[n];
			for (int i = 0; i < n; i++) {
				locks[i] = new Object();
				right[i] = new HashMap<>();
				wrong[i] = new HashMap<>();
			}
		}

		void put(K k, V v) {
			int i = (k.hashCode() & 0x7fffffff) % locks.length, j = (i + 1) % locks.length;
			synchronized (locks[i]) {
				right[i].put(k, v); // NORACE-LIKELY
			}
			synchronized (locks[j]) {
				wrong[i].put(k, v); // RACE
			}
		}

		V get(K k) {
			int i = (k.hashCode() & 0x7fffffff) % locks.length;
			synchronized (locks[i]) {
				wrong[i].get(k); // RACE
				return right[i].get(k); // NORACE-LIKELY
			}
		}
	}

	public static void main(String[] args) {
		Striped<String, Integer> s = new Striped<>(8);
		for (int i = 0; i < 3; i++) {
			int k = i;
			new Thread(() -> {
				s.put("k" + k, k);
				s.get("k0");
			}).start();
		}
	}
}

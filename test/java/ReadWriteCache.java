/* A cache behind a read-write lock; get upgrades by releasing first. The hit counter is written under the read lock. */
import java.util.*;
import java.util.concurrent.locks.*;
import java.util.function.Function;
public class ReadWriteCache<K, V> {
	private final Map<K, V> map = new HashMap<>();
	private final ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
	private final Lock r = rw.readLock(), w = rw.writeLock();
	private int hits, size;
	V get(K k, Function<K, V> f) {
		r.lock();
		try {
			V v = map.get(k); // NORACE-LIKELY
			if (v != null) {
				hits++; // RACE
				return v;
			}
		} finally {
			r.unlock();
		}
		w.lock();
		try {
			V v = map.get(k); // NORACE-LIKELY
			if (v == null) {
				v = f.apply(k);
				map.put(k, v); // NORACE-LIKELY
				size++; // NORACE
			}
			return v;
		} finally {
			w.unlock();
		}
	}
	int size() {
		r.lock();
		try {
			return size; // NORACE
		} finally {
			r.unlock();
		}
	}
	public static void main(String[] args) {
		ReadWriteCache<String, Integer> c = new ReadWriteCache<>();
		for (int i = 0; i < 3; i++)
			new Thread(() -> {
				c.get("a", String::length);
				c.size();
			}).start();
	}
}

/* A weak reference gives what it was made with; so does the queue that it comes to. */
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;

public class WeakReferenced {
	static class Box {
		int weak, soft;
	}

	static class Entry extends WeakReference<Box> {
		int key;

		Entry(Box b, ReferenceQueue<Box> q) {
			super(b, q);
		}
	}

	static final Box kept = new Box();
	static final ReferenceQueue<Box> queue = new ReferenceQueue<>();
	static final Entry entry = new Entry(kept, queue);
	static final SoftReference<Box> soft = new SoftReference<>(kept);

	public static void main(String[] args) {
		new Thread(() -> {
			Box b = entry.get();
			if (b != null)
				b.weak++; // RACE
			b = soft.get();
			if (b != null)
				synchronized (kept) {
					b.soft++; // NORACE
				}
			Entry e = (Entry) queue.poll();
			if (e != null)
				e.key = 1; // RACE
		}).start();
		kept.weak++; // RACE
		synchronized (kept) {
			kept.soft++; // NORACE
		}
		entry.key = 2; // RACE
	}
}

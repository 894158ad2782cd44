/* An object is filled before a volatile store publishes it, or behind it. */
import java.util.concurrent.atomic.AtomicReference;
public class AtomicPublishLazy {
	int before, behind;
	static final AtomicReference<AtomicPublishLazy> box = new AtomicReference<>();

	public static void main(String[] args) {
		new Thread(() -> {
			AtomicPublishLazy x = new AtomicPublishLazy();
			x.before = 1; // NORACE
			box.set(x);
			x.behind = 1; // RACE
		}).start();
		AtomicPublishLazy y = box.get();
		if (y != null) {
			System.out.println(y.before); // NORACE
			System.out.println(y.behind); // RACE
		}
	}
}

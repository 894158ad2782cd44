/* Opaque mode orders nothing; release and acquire do. */
import java.util.concurrent.atomic.*;
public class AtomicModes {
	static class Box {
		int bad, good;
	}

	static final AtomicReference<Box> weak = new AtomicReference<>(), strong = new AtomicReference<>();

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			Box b = new Box();
			b.bad = 1; // RACE possible
			weak.setOpaque(b);
		});
		t.start();
		Box b = weak.getOpaque();
		if (b != null)
			b.bad++; // RACE possible
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			Box b = new Box();
			b.good = 1; // NORACE
			strong.setRelease(b);
		});
		t.start();
		Box b = strong.getAcquire();
		if (b != null)
			System.out.println(b.good); // NORACE
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

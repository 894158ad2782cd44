/* An object that an atomic reference publishes; one set in plain mode is not. */
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
public class AtomicPublish {
	static class Item {
		int good, bad;
	}

	static final AtomicReference<Item> safe = new AtomicReference<>();
	static final AtomicReference<Item> weak = new AtomicReference<>();

	public static void main(String[] args) {
		new Thread(() -> {
			Item i = new Item();
			i.good = 1; // NORACE
			safe.set(i);
			Item j = new Item();
			j.bad = 1; // RACE possible
			weak.setPlain(j);
		}).start();
		Item i = safe.get();
		if (i != null)
			System.out.println(i.good); // NORACE
		Item j = weak.getPlain();
		if (j != null)
			System.out.println(j.bad); // RACE possible
	}
}

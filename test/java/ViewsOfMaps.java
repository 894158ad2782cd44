/* A view of a synchronized map is made by who asks for it, and leads to the map all the same: who walks through it holds the map's lock, or races. */
import java.util.*;
public class ViewsOfMaps {
	static final Map<String, Integer> free = Collections.synchronizedMap(new HashMap<>());
	static final Map<String, Integer> held = Collections.synchronizedMap(new HashMap<>());
	public static void main(String[] args) {
		new Thread(() -> {
			free.put("a", 1); // RACE
			held.put("a", 1); // NORACE
		}).start();
		new Thread(() -> {
			for (String k : free.keySet()) // RACE
				System.out.println(k);
			synchronized (held) {
				for (String k : held.keySet()) // NORACE
					System.out.println(k);
			}
		}).start();
	}
}

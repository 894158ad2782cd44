/* Two maps of one class: each is reported at its own calls; a third is only used under its lock. */
import java.util.HashMap;
import java.util.Map;

public class TwoMaps {
	static final Map<String, Integer> first = new HashMap<>(), second = new HashMap<>(), third = new HashMap<>();

	static void one() {
		first.put("a", 1); // RACE
	}

	static void two() {
		second.put("a", 1); // RACE
	}

	static void three() {
		synchronized (third) {
			third.put("a", 1); // NORACE
		}
	}

	public static void main(String[] args) {
		for (int i = 0; i < 3; i++)
			new Thread(() -> {
				one();
				two();
				three();
			}).start();
	}
}

/* A synchronized list's elements are its own; the list around it is not guarded. */
import java.util.*;
public class SynchronizedList {
	static final List<int[]> good = Collections.synchronizedList(new ArrayList<>());
	static int bad;

	static void work() {
		good.add(new int[1]);
		bad++; // RACE
		System.out.println(good.size()); // NORACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

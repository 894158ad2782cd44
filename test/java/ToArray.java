/* An array that the library makes of a class which it is told at run time: what a list gives by
 * toArray, a copy of another class, one made by reflection. Its elements are those of the list. */
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
public class ToArray {
	static class Listener { int calls; }
	static final List<Listener> all = new ArrayList<>(), wrapped = Collections.synchronizedList(new ArrayList<>());
	static final Listener listed = new Listener(), copied = new Listener(), made = new Listener();
	static final Listener inWrapped = new Listener();
	static final List<int[]> counts = new ArrayList<>();
	static final int[] count = new int[1];

	static void work() {
		listed.calls++; // RACE
		copied.calls++; // RACE
		made.calls++; // RACE
		inWrapped.calls++; // RACE
		count[0]++; // RACE
		Listener[] mine = new ArrayList<>(List.of(new Listener())).toArray(new Listener[0]);
		mine[0].calls++; // NORACE
	}

	public static void main(String[] args) {
		all.add(listed);
		wrapped.add(inWrapped);
		counts.add(count);
		new Thread(ToArray::work).start();
		new Thread(ToArray::work).start();
		for (Listener l : all.toArray(new Listener[0]))
			System.out.println(l.calls); // RACE
		for (Listener l : wrapped.toArray(new Listener[0]))
			System.out.println(l.calls); // RACE
		for (int[] c : counts.toArray(new int[0][]))
			System.out.println(c[0]); // RACE
		Listener[] copy = Arrays.copyOf(new Object[] {copied}, 1, Listener[].class);
		System.out.println(copy[0].calls); // RACE
		Object any = Array.newInstance(Listener.class, 1);
		((Object[]) any)[0] = made;
		System.out.println(((Listener[]) any)[0].calls); // RACE
	}
}

/* A method of the library, given by reference to a parallel stream: the race is shown where the reference is. */
import java.util.*;
import java.util.stream.*;
public class ParallelReference {
	public static void main(String[] args) {
		List<Integer> plain = new ArrayList<>();
		List<Integer> locked = Collections.synchronizedList(new ArrayList<>());
		IntStream.range(0, 100).parallel().forEach(plain::add); // RACE
		IntStream.range(0, 100).parallel().forEach(locked::add); // NORACE
		System.out.println(plain.size() + locked.size());
	}
}

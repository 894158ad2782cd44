/* Parallel streams: an element for each number of a range, a neighbour's, a shared list; the end waits for all. */
import java.util.*;
import java.util.stream.*;

public class ParallelStreamParts {
	static int seen;

	public static void main(String[] args) {
		int[] own = new int[100], next = new int[101];
		List<Integer> list = new ArrayList<>();
		IntStream.range(0, 100).parallel().forEach(i -> own[i] = i * i); // NORACE-LIKELY
		IntStream.range(0, 100).parallel().forEach(i -> {
			next[i] = next[i + 1]; // RACE
		});
		List<String> names = IntStream.range(0, 50).parallel().mapToObj(i -> "n" + i).collect(Collectors.toList()); // NORACE-LIKELY
		names.parallelStream().filter(s -> {
			seen++; // RACE
			return s.length() > 2;
		}).map(String::length).forEach(n -> list.add(n)); // RACE
		int sum = Arrays.stream(own).parallel().sum(); // NORACE-LIKELY
		System.out.println(sum + list.size() + seen + own[3]); // NORACE-LIKELY
	}
}

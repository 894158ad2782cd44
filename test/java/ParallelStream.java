/* A parallel stream whose function adds to a static field, and one that keeps to its elements. */
// BODIES: java.util.stream
import java.util.stream.IntStream;
public class ParallelStream {
	static int bad;

	public static void main(String[] args) {
		IntStream.range(0, 8).parallel().forEach(i -> bad += i); // RACE
		int good = IntStream.range(0, 8).parallel().map(i -> i * 2).sum(); // NORACE-LIKELY
		System.out.println(good);
	}
}

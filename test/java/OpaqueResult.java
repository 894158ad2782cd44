/* What the library makes is known by its declared class only; a function that it
 * is given may run all the same. */
import java.nio.file.*;
import java.util.stream.Stream;
public class OpaqueResult {
	static int bad, good;

	public static void main(String[] args) throws Exception {
		Path file = Paths.get("x");
		new Thread(() -> {
			try (Stream<String> lines = Files.lines(file)) {
				lines.forEach(s -> {
					bad++; // RACE
				});
			} catch (java.io.IOException e) {
			}
		}).start();
		bad++; // RACE
		synchronized (file) {
			good++; // NORACE
		}
		new Thread(() -> {
			synchronized (file) {
				good++; // NORACE
			}
		}).start();
	}
}

/* A task of a fork-join pool: what is done before its join races, what comes behind does not. */
import java.util.concurrent.*;
public class ForkJoin {
	static int bad, good;

	static class Part extends RecursiveAction {
		@Override
		protected void compute() {
			bad++; // RACE
			good++; // NORACE
		}
	}

	public static void main(String[] args) {
		Part p = new Part();
		p.fork();
		bad++; // RACE
		p.join();
		good++; // NORACE
	}
}

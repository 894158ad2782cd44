/* An object that stays in the method that makes it; one that leaks from it. */
public class Confined {
	static class Node {
		int good, bad;
	}

	static Node leaked;

	static void work() {
		Node mine = new Node();
		mine.good++; // NORACE
		Node other = new Node();
		leaked = other; // RACE
		other.bad++; // RACE possible
		leaked.bad++; // RACE possible
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

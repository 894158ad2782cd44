package shop;

/* Two entries, a nested class and a library. */
public class Bank {
	static int total;

	static class Teller {
		int id;

		void serve() {
			total += tools.Tool.one(id);
		}
	}

	public static void main(String[] args) {
		new Teller().serve();
	}
}

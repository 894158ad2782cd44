/* Fields of a task: set before its start, by its constructor, and behind its start. */
public class RunnableFields implements Runnable {
	private final int fixed;
	private int early, late;

	RunnableFields(int x) {
		fixed = x; // NORACE
	}

	public void run() {
		System.out.println(fixed + early); // NORACE
		System.out.println(late); // RACE
	}

	public static void main(String[] args) {
		RunnableFields r = new RunnableFields(1);
		r.early = 2; // NORACE
		new Thread(r).start();
		r.late = 3; // RACE
	}
}

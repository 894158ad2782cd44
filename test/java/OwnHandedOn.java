/* What is made, then written: before it is given to a thread, a list or a function that keeps it
 * nobody else has it, whatever became of earlier ones; after that they may. */
import java.util.*;
public class OwnHandedOn {
	static final List<Job> jobs = Collections.synchronizedList(new ArrayList<>());

	static class Job {
		int before, after;
	}

	static Job make(int n) {
		Job j = new Job();
		j.before = n; // NORACE-LIKELY
		return j;
	}

	static Job same(Job j) {
		return j;
	}

	static void keep(Job kept, Job other) {
		kept.before++; // NORACE-LIKELY
		jobs.add(other);
	}

	static void listed() {
		for (int i = 0; i < 3; i++) {
			Job j = make(i);
			j.before++; // NORACE-LIKELY
			jobs.add(j);
			j.after = i; // RACE
		}
	}

	static void twice() {
		for (int i = 0; i < 3; i++) {
			Twin j = new Twin();
			pass(j, same2(j));
		}
	}

	static class Twin {
		int value;
	}

	static final List<Twin> twins = Collections.synchronizedList(new ArrayList<>());

	static Twin same2(Twin t) {
		return t;
	}

	static void pass(Twin mine, Twin given) {
		twins.add(given);
		mine.value = 1; // RACE
	}

	static void started() {
		for (int i = 0; i < 3; i++) {
			Task t = new Task();
			t.before = i; // NORACE
			t.start();
			t.after = i; // RACE
		}
	}

	static class Task extends Thread {
		int before, after;

		public void run() {
			System.out.println(before); // NORACE
			System.out.println(after); // RACE
		}
	}

	static void look() {
		for (Job j : new ArrayList<>(jobs))
			System.out.println(j.before + j.after); // RACE
		for (Twin t : new ArrayList<>(twins))
			System.out.println(t.value); // RACE
	}

	static void work() {
		listed();
		twice();
		started();
		keep(make(1), same(make(2)));
		look();
	}

	public static void main(String[] args) {
		new Thread(OwnHandedOn::work).start();
		work();
	}
}

/* What a private field is never given it does not hold: the helper thread of a mode that nobody
 * turns on does not run.  One that a constructor, a setter, another class of the same file, a
 * clone of such an object or a number from outside turns on does. */
public class FieldNeverSet {
	static int never, setter, given, inner, cloned, counted;

	static class Task implements Cloneable {
		private boolean off, on, mode, nested;
		private int helpers;
		private boolean copied;

		Task(boolean mode, int helpers) {
			this.mode = mode;
			this.helpers = helpers;
		}

		void turnOff() {
			off = false;
		}

		void turnOn() {
			on = true;
		}

		void run() {
			if (off)
				new Thread(() -> never++).start(); // NORACE
			never++; // NORACE
			if (on)
				new Thread(() -> setter++).start(); // RACE
			setter++; // RACE
			if (mode)
				new Thread(() -> given++).start(); // RACE
			given++; // RACE
			if (nested)
				new Thread(() -> inner++).start(); // RACE
			inner++; // RACE
			if (copied)
				new Thread(() -> cloned++).start(); // RACE
			cloned++; // RACE
			if (helpers > 3)
				new Thread(() -> counted++).start(); // RACE
			counted++; // RACE
		}

		Task copy() {
			try {
				return (Task) clone();
			} catch (CloneNotSupportedException e) {
				return null;
			}
		}
	}

	public static void main(String[] args) {
		Task first = new Task(false, args.length), second = new Task(true, 0);
		first.turnOff();
		first.turnOn();
		first.run();
		second.nested = true;
		second.run();
		second.copied = true;
		second.copy().run();
	}
}

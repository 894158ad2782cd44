/* Which method runs is a matter of the object's class. */
public class VirtualCalls {
	static int bad, good;

	interface Shape {
		void touch();
	}

	static class Round implements Shape {
		public void touch() {
			bad++; // RACE
		}
	}

	static class Flat implements Shape {
		public void touch() {
			good++; // NORACE
		}
	}

	public static void main(String[] args) {
		Shape r = new Round(), f = new Flat();
		new Thread(() -> r.touch()).start();
		r.touch();
		f.touch();
	}
}

/* An inner object locks the outer one that it was made for; a copy of the outer one shares it. */
// FLAGS: --open OpenInnerOuter.Plain --open OpenInnerOuter.Copied
public class OpenInnerOuter {
	public static class Plain {
		private int good;
		private final Part part = new Part();

		class Part {
			void add() {
				synchronized (Plain.this) {
					good++; // NORACE
				}
			}
		}

		public void add() {
			part.add();
		}

		public synchronized int get() {
			return good; // NORACE
		}
	}

	/* The copy's part counts in the original, under the original's monitor. */
	public static class Copied implements Cloneable {
		private int[] bad = new int[1];
		private final Part part = new Part();

		class Part {
			void add(int[] of) {
				synchronized (Copied.this) {
					of[0]++; // RACE possible
				}
			}
		}

		public void add() {
			part.add(bad);
		}

		public synchronized int get() {
			return bad[0]; // RACE possible
		}

		public Copied copy() throws CloneNotSupportedException {
			return (Copied)clone();
		}
	}
}

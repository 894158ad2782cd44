/* An inner class locks its outer object, or itself. */
public class InnerClass {
	int bad, good;

	class Part {
		void ok() {
			synchronized (InnerClass.this) {
				good++; // NORACE
			}
		}

		synchronized void wrong() {
			bad++; // RACE possible
		}
	}

	void work() {
		Part p = new Part();
		p.ok();
		p.wrong();
	}

	public static void main(String[] args) {
		InnerClass c = new InnerClass();
		new Thread(() -> c.work()).start();
		c.work();
	}
}

/* A clone has the class of what it is a clone of: of two classes that share a
 * method by name, only the one that was cloned runs. */
class CloneClass {
	static class Shape implements Cloneable {
		void draw() {
		}

		Shape copy() throws CloneNotSupportedException {
			return (Shape) clone();
		}
	}

	static class Square extends Shape {
		static int drawn;

		void draw() {
			drawn++; // RACE
		}
	}

	static class Circle extends Shape {
		static int drawn;

		void draw() {
			drawn++; // NORACE
		}
	}

	static Shape shape = new Square();

	static void work() {
		try {
			shape.copy().draw();
		} catch (CloneNotSupportedException e) {
			return;
		}
	}

	public static void main(String[] args) throws Exception {
		Thread t = new Thread(CloneClass::work), u = new Thread(CloneClass::work);
		new Circle().draw();
		t.start();
		u.start();
		t.join();
		u.join();
	}
}

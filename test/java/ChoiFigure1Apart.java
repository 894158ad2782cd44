/* Figure 1 of Choi et al. 2001 with one lock object, and a copy of m1 for each thread so that its statements can be told apart. */
// PAIRS: t1_s20-s18 definite
public class ChoiFigure1Apart {
	static class Obj {
		int f, g;
	}

	static Obj p, q, x;

	static class First extends Thread {
		Obj a, b;

		First(Obj a, Obj b) {
			this.a = a;
			this.b = b;
		}

		static void m1(Obj y) {
t1_s20:
			y.f = 100; // RACE
		}

		public void run() {
			synchronized (a) {
				m1(b);
			}
		}
	}

	static class Second extends Thread {
		Obj a, b;

		Second(Obj a, Obj b) {
			this.a = a;
			this.b = b;
		}

		static void m1(Obj y) {
t2_s20:
			y.f = 101; // NORACE
		}

		public void run() {
			synchronized (a) {
				m1(b);
			}
		}
	}

	static void m1(Obj y) {
main_s20:
		y.f = 102; // NORACE
	}

	public static void main(String[] args) throws InterruptedException {
		Obj o1 = new Obj(), data = new Obj();
		p = o1;
		q = x = data;
		First t1 = new First(o1, data);
		Second t2 = new Second(o1, data);
		t2.start();
		t1.start();
		synchronized (p) {
			m1(q);
		}
		t2.join();
s18:
		x.f = 200; // RACE
	}
}

/* Figure 1 of Choi et al. 2001 with one lock object: only main's last write races. */
// PAIRS: s18-s20 definite
public class ChoiFigure1 extends Thread {
	static class Obj {
		int f, g;
	}

	static Obj p, q, x;
	Obj a, b, c;

	ChoiFigure1(Obj a, Obj b, Obj c) {
		this.a = a;
		this.b = b;
		this.c = c;
	}

	public static void main(String[] args) throws InterruptedException {
		Obj o1 = new Obj(), data = new Obj();
		p = o1;
		q = x = data;
		ChoiFigure1 t1 = new ChoiFigure1(o1, data, data), t2 = new ChoiFigure1(o1, data, data);
		t2.start();
		t1.start();
		synchronized (p) {
			m1(q);
		}
		t2.join();
s18:
		x.f = 200; // RACE
	}

	public static void m1(Obj y) {
s20:
		y.f = 100; // RACE
	}

	public void run() {
		synchronized (a) {
			m1(b);
			m2(c);
		}
	}

	public void m2(Obj w) {
		Obj z = new Obj();
		z.g = 1; // NORACE
	}
}

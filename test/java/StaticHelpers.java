/* Static helpers that make what they return: each call its own object, array of arrays or thread; one that two threads get is shared. */
import java.util.*;
public class StaticHelpers {
	static class Box { int v; }
	static Box make() { return new Box(); }
	static List<Integer> list() { return new ArrayList<>(); }
	static Thread spawn(Runnable r) { Thread t = new Thread(r); t.start(); return t; }
	static class Own extends Thread {
		final Box b;
		Own(Box b) { this.b = b; }
		public void run() { b.v++; } // NORACE
	}
	static class Shares extends Thread {
		final Box b;
		Shares(Box b) { this.b = b; }
		public void run() { b.v++; } // RACE
	}
	static final double[][] rows = new double[8][8], columns = new double[8][8];
	static class Row extends Thread {
		final int row;
		Row(int row) { this.row = row; }
		public void run() {
			for (int j = 0; j < 8; j++)
				rows[row][j] = j; // NORACE
			for (int j = 0; j < 8; j++)
				columns[j][0] = j; // RACE
		}
	}
	static int joined, beside;
	public static void main(String[] args) throws Exception {
		new Own(make()).start();
		new Own(make()).start();
		Box s = make();
		new Shares(s).start();
		new Shares(s).start();
		List<Integer> a = list(), b = list(), c = list();
		new Thread(() -> a.add(1)).start(); // NORACE
		new Thread(() -> b.add(1)).start(); // NORACE
		new Thread(() -> c.add(1)).start(); // RACE
		new Thread(() -> c.add(2)).start(); // RACE
		for (int i = 0; i < 8; i++)
			new Row(i).start();
		Thread t = spawn(() -> joined++); // NORACE
		t.join();
		System.out.println(joined); // NORACE
		Thread u = spawn(() -> beside++); // RACE
		System.out.println(beside); // RACE
		u.join();
	}
}

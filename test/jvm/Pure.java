// Methods without input or output, run twice: by java, and as IR by the interleaver.
// Each takes ints and longs and gives an int or a long; test_jvm_pure compares.
import java.util.function.IntBinaryOperator;
import java.util.function.IntSupplier;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

class Pure {
	static int add(int a, int b) { return a + b * 3 - (a - b); }
	static int divide(int a, int b) { return a / b; }
	static int remainder(int a, int b) { return a % b; }
	static int shifts(int a, int b) { return (a << b) ^ (a >> b) ^ (a >>> b); }
	static int constantShifts(int a) { return (a << 33) + (a >> 3) + (a >>> 31); }
	static int logic(int a, int b) { return (a & b) | (~a ^ b) + -a; }
	static long longs(long a, long b) { return a * b + (a - b) * 7 - -b; }
	static long longDivide(long a, long b) { return a / b + a % b; }
	static long longShifts(long a, int b) { return (a << b) ^ (a >> b) ^ (a >>> b) ^ (a << 40); }
	static long longLogic(long a, long b) { return (a & b) | (a ^ ~b); }
	static int compareLongs(long a, long b) {
		int n = 0;
		if (a < b) n += 1;
		if (a <= b) n += 2;
		if (a > b) n += 4;
		if (a >= b) n += 8;
		if (a == b) n += 16;
		if (a != b) n += 32;
		return n;
	}
	static int sign(long a) { return Long.MIN_VALUE == a ? -2 : threeWay(a, 5L); }
	private static int threeWay(long a, long b) { return a < b ? -1 : a == b ? 0 : 1; }
	static int compareInts(int a, int b) {
		int n = 0;
		if (a < b) n |= 1;
		if (a <= b) n |= 2;
		if (a > b) n |= 4;
		if (a >= b) n |= 8;
		if (a == b) n |= 16;
		if (a != b) n |= 32;
		if (a < 0) n |= 64;
		if (a <= 0) n |= 128;
		if (a > 0) n |= 256;
		if (a >= 0) n |= 512;
		if (a == 0) n |= 1024;
		if (a != 0) n |= 2048;
		return n;
	}
	static int narrow(int a) { return (byte) a + 3 * (char) a + 5 * (short) a; }
	static long widen(int a, long b) { return (long) a + (int) b + ((int) b & 0xffffffffL); }
	static int table(int a) {
		switch (a) {
		case -1: return 10;
		case 0: return 20;
		case 1:
		case 2: a += 5;
		case 3: return a;
		default: return -a;
		}
	}
	static int lookup(int a) {
		int r = 1;
		switch (a) {
		case Integer.MIN_VALUE: r = 2; break;
		case -13: r = 3; break;
		case 31: r = 5; break;
		case Integer.MAX_VALUE: r = 7;
		}
		return r * a;
	}
	static int gcd(int a, int b) {
		a = a < 0 ? 17 : a % 1000;
		b = b < 0 ? 51 : b % 1000;
		while (b != 0) {
			int t = a % b;
			a = b;
			b = t;
		}
		return a;
	}
	static int loops(int a) {
		int n = 0;
		outer:
		for (int i = 0; i < 9; i++) {
			for (int k = i; ; k++) {
				if (k > 12) continue outer;
				if ((k ^ a) % 7 == 3) break;
				if (n > 200) break outer;
				n += k;
			}
			n ^= i;
		}
		do n++; while (n % 5 != 0);
		return n;
	}
	static long fib(int a) {
		long x = 0, y = 1;
		for (int i = 0; i < (a & 63); i++) {
			long t = x + y;
			x = y;
			y = t;
		}
		return x;
	}
	static int recursive(int a) { return a <= 0 || a > 6 ? 1 : a * recursive(a - 1); }
	static int swapLocals(int a, int b) {
		for (int i = 0; i < 3; i++) {
			int t = a;
			a = b;
			b = t;
		}
		return a - 2 * b;
	}
	static int increments(int a) {
		int x = a++ + ++a;
		x += a-- - --a;
		int[] c = {x, a};
		c[0]++;
		c[1] += c[0]-- * 2;
		return c[0] + 3 * c[1];
	}

	static int intArray(int a) {
		int[] x = new int[5];
		for (int i = 0; i < x.length; i++) x[i] = a + i * i;
		int s = 0;
		for (int v : x) s += v;
		return s ^ x[3];
	}
	static int length(int a) { return make(a & 7).length; }
	private static short[] make(int n) { return new short[n]; }
	static int smallArrays(int a) {
		byte[] b = {(byte) a, 2};
		char[] c = {(char) a};
		short[] s = {1, (short) a};
		boolean[] z = {a > 0, a < 5};
		return b[0] + c[0] + s[1] + (z[0] ? 1000 : 0) + (z[1] ? 5000 : 0);
	}
	static long longArray(long a, int b) {
		long[] x = new long[(b & 3) + 1];
		x[b & 3] = a;
		return x[0] + x[x.length - 1];
	}
	static int matrix(int a, int b) {
		int[][] m = new int[(a & 1) + 1][3];
		m[a & 1][b & 1] = 7;
		m[0][2] = 9;
		return m[0][b & 1] + m[a & 1][2] * 10 + m.length * 100 + m[0].length * 1000;
	}
	static int outOfBounds(int a) { return new int[3][4][a & 7].length; }
	static int past(int a) {
		int[] x = {1, 2, 3};
		return x[a & 7];
	}
	static int nothing(int a) {
		int[] x = a > 0 ? new int[]{a} : null;
		return x[0];
	}

	static class Odd extends RuntimeException { Odd() { super(null, null, false, false); } }
	static class VeryOdd extends Odd { }
	static class Even extends Exception {
		final int n;
		Even(int n) { super(null, null, false, false); this.n = n; }
	}
	static int risky(int a) throws Even {
		if (a == 31) throw new VeryOdd();
		if ((a & 1) != 0) throw new Odd();
		if (a > 3) throw new Even(a);
		return a * 2;
	}
	static int caught(int a) {
		int x = 1;
		try {
			x = 5;
			x += risky(a);
			x *= 3;
		} catch (VeryOdd e) {
			x += 1000;
		} catch (Odd e) {
			x += 100;
		} catch (Even e) {
			x -= e.n;
		}
		return x;
	}
	static int rethrown(int a) {
		int n = 0;
		try {
			try {
				n = risky(a);
			} finally {
				n += 7;
				trace = n;
			}
		} catch (Odd | Even e) {
			n = -n;
		}
		return n + trace;
	}
	static int trace;
	@SuppressWarnings("finally")
	static int overridden(int a) {
		for (int i = 0; i < 3; i++) {
			try {
				if (i == 1) return risky(a);
				a += 2;
			} catch (Even e) {
				continue;
			} finally {
				if (a < -5) break;
				a += 10;
			}
		}
		return a;
	}
	static int uncaught(int a) throws Even { return risky(a) + 1; }
	static int dividedInTry(int a, int b) {
		int x = 3;
		try {
			x = 4;
			x = a / b;
		} finally {
			trace = x;
		}
		return x;
	}

	static final Object lock = new Object();
	static synchronized int locked(int a) throws Even {
		synchronized (lock) {
			synchronized (lock) {
				a++;
			}
			return risky(a);
		}
	}
	static int lockedTwice(int a) {
		int n = 0;
		for (int i = 0; i < 2; i++)
			try {
				n += locked(a + i);
			} catch (Exception e) {
				n += 100;
			}
		return n;
	}

	interface Shape {
		int area();
		default int twice() { return 2 * area(); }
	}
	static class Square implements Shape {
		final int side;
		Square(int side) { this.side = side; }
		public int area() { return side * side; }
		int kind() { return 1; }
	}
	static class Grown extends Square {
		int more = 3;
		Grown(int side) { super(side + 1); more += side; }
		@Override public int area() { return super.area() + more; }
		@Override int kind() { return 2; }
		@Override public int twice() { return super.twice() + 1; }
	}
	static int objects(int a) {
		Square s = a > 0 ? new Grown(a & 15) : new Square(a & 15);
		Shape shape = s;
		return shape.area() + 1000 * s.kind() + shape.twice() + s.side;
	}
	static int casts(int a) {
		Object o = a > 0 ? new Grown(a & 7) : a < 0 ? new Square(2) : null;
		int n = o instanceof Square ? 1 : 0;
		n += o instanceof Grown ? 2 : 0;
		n += o == null ? 4 : 0;
		return n + ((Grown) o).more;
	}

	static class Lazy {
		static int made = trace + 1;
		static int get() { return made; }
	}
	static int initialised(int a) {
		trace = a;
		int n = Lazy.get();
		trace = 5;
		return Lazy.get() - n;
	}

	static int lambdas(int a, int b) {
		IntBinaryOperator sum = (x, y) -> x + y * a;
		IntUnaryOperator twice = x -> sum.applyAsInt(x, b);
		IntSupplier fixed = () -> twice.applyAsInt(a) - 1;
		return fixed.getAsInt();
	}
	static int references(int a, int b) {
		IntBinaryOperator f = a > b ? Pure::add : Pure::logic;
		Square s = new Square(b & 7);
		IntSupplier g = s::area;
		return f.applyAsInt(a, b) + g.getAsInt();
	}
	interface Maker { Square make(int side); }
	interface Area { int of(Square s); }
	interface Op<T> { T apply(T x); }
	interface SquareOp extends Op<Square> { Square apply(Square x); }
	static int twice(int a) { return 2 * a; }
	static long adapted(int a) {
		Maker m = a > 5 ? Grown::new : Square::new;
		Area f = Square::area;
		IntToLongFunction wide = Pure::twice;
		SquareOp op = x -> new Grown(x.side);
		Op<Square> same = op;
		return f.of(m.make(a & 15)) + wide.applyAsLong(a) + same.apply(m.make(a & 3)).area();
	}
	static int serializable(int a) {
		IntSupplier s = (IntSupplier & java.io.Serializable) () -> a + 3;
		return s.getAsInt() + (s instanceof java.io.Serializable ? 10 : 0);
	}
	static int interfaces(int a) {
		Object o = a > 0 ? (Shape) () -> a : new Square(3);
		return o instanceof Shape ? ((Shape) o).twice() : 0;
	}
	static int arraysOfObjects(int a) {
		Object[] x = new Square[]{new Square(a & 7), new Grown(2)};
		int n = x instanceof Square[] ? 1 : 0;
		n += x instanceof Shape[] ? 2 : 0;
		n += ((Object) x) instanceof int[] ? 4 : 0;
		return n * 100 + ((Square) x[a & 1]).area();
	}
	static int mixedKinds(int a) {
		int n = 0;
		{
			long x = a;
			n += (int) (x >> 1);
		}
		{
			int x = 3, y = a;
			n += x * y;
		}
		{
			Square x = new Square(a & 3);
			n += x.side;
		}
		return n;
	}
	static int conditional(int a, int b) {
		return (a > b ? a < 100 ? 1 : 2 : b == 5 ? 3 : 4) + ((a & 1) == 0 && b > 0 || a < -5 ? 10 : 0);
	}
}

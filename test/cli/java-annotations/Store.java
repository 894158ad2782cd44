package lib;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

public class Store {
	@Retention(RetentionPolicy.CLASS)
	@interface NotThreadSafe {}

	private int size;
	private int hits;
	private int opened;

	public void add() {
		size++;
	}

	public void hit() {
		hits++;
	}

	public void open() {
		opened++;
	}

	public int opened() {
		return opened;
	}

	@NotThreadSafe
	public static class Cursor {
		private int at;

		public void next() {
			at++;
		}
	}

	@Retention(RetentionPolicy.CLASS)
	@interface GuardedBy {
		String value();
	}

	@Retention(RetentionPolicy.CLASS)
	@interface Immutable {}

	@Retention(RetentionPolicy.CLASS)
	@interface ThreadSafe {}

	public static class Guarded {
		@GuardedBy("this")
		private int good, bad;

		public synchronized void add() {
			good++;
			bad++;
		}

		public synchronized int good() {
			return good;
		}

		public int bad() {
			return bad;
		}
	}

	@Immutable
	public static class Point {
		private int x;

		public Point(int x) {
			this.x = x;
		}

		public int x() {
			return x;
		}

		public void move(int to) {
			x = to;
		}
	}

	@ThreadSafe
	public static class Tally {
		private int n;

		public synchronized void add() {
			n++;
		}

		public int n() {
			return n;
		}
	}
}

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
}

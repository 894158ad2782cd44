/* Parts of a value are worked out when they are asked for, unless its constructor was given them: a field says which.  For
 * objects that come with their parts nothing is written any more.  Not so if one constructor leaves the field alone, if
 * it is set back, if the object was given away before, or if the field was read before that. */
// FLAGS: --open StateFromMaking.Made --open StateFromMaking.Late --open StateFromMaking.Reset --open StateFromMaking.Early --open StateFromMaking.Stale
import java.util.ArrayList;

public class StateFromMaking {
	static final ArrayList<Object> all = new ArrayList<>();

	static class Parts {
		int whole, part;
		boolean split;

		Parts(int whole) {
			this.whole = whole;
			part = whole;
			split = true;
		}

		void split() {
			part = whole / 2; // NORACE-LIKELY
			split = true;
		}

		int part() {
			if (!split)
				split();
			return part;
		}
	}

	static class More extends Parts {
		int more;

		More(int whole) {
			super(whole);
		}

		int more() {
			if (!split)
				more = 1; // NORACE-LIKELY
			return more;
		}
	}

	public static class Made {
		final Parts parts = new Parts(1);
		final More more = new More(1);

		public int part() {
			return parts.part() + more.more();
		}
	}

	static class LateParts {
		int part;
		boolean split;

		LateParts() {
		}

		LateParts(int part) {
			this.part = part;
			split = true;
		}

		int part() {
			if (!split) {
				part = 1; // RACE
				split = true;
			}
			return part;
		}
	}

	public static class Late {
		final LateParts whole = new LateParts();
		final LateParts split = new LateParts(2);

		public int part() {
			return whole.part() + split.part();
		}
	}

	static class ResetParts {
		int part;
		boolean split;

		ResetParts() {
			split = true;
		}

		int part() {
			if (!split)
				part = 1; // RACE
			return part;
		}

		void reset() {
			split = false;
		}
	}

	public static class Reset {
		final ResetParts parts = new ResetParts();

		public int part() {
			return parts.part();
		}

		public void reset() {
			parts.reset();
		}
	}

	static class EarlyParts {
		int part;
		boolean split;

		EarlyParts() {
			synchronized (all) {
				all.add(this);
			}
			split = true;
		}

		int part() {
			if (!split)
				part = 1; // RACE
			return part;
		}
	}

	public static class Early {
		public int part() {
			return new EarlyParts().part();
		}

		public int other() {
			synchronized (all) {
				return ((EarlyParts) all.get(0)).part();
			}
		}
	}

	static class StaleParts {
		int part;
		boolean split;

		StaleParts() {
			boolean was = split;
			split = true;
			synchronized (all) {
				all.add(this);
			}
			if (!was)
				part = 1; // RACE
		}
	}

	public static class Stale {
		public Object make() {
			return new StaleParts();
		}

		public int other() {
			synchronized (all) {
				return ((StaleParts) all.get(0)).part;
			}
		}
	}
}

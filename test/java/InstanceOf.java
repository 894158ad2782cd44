/* What a test of the class lets through is of that class: a method of all objects that is called behind it is that class's own. */
public class InstanceOf {
	static class Id {
		int shown;

		@Override
		public String toString() {
			shown++; // RACE
			return "id";
		}
	}

	static class Date {
		int shown, other;

		@Override
		public String toString() {
			shown++; // NORACE
			return "date";
		}

		@Override
		public int hashCode() {
			return other++; // RACE
		}
	}

	static final Object[] all = {new Id(), new Date()};

	static String show(Object o) {
		if (o instanceof Id)
			return o.toString();
		return "" + o.hashCode();
	}

	static void work() {
		for (Object o : all)
			System.out.println(show(o));
	}

	public static void main(String[] args) {
		new Thread(InstanceOf::work).start();
		work();
	}
}

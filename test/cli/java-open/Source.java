package lib;

public interface Source {
	int next();

	static Source of(int first) {
		return new Counting(first);
	}
}

class Counting implements Source {
	private int at;

	Counting(int first) {
		at = first;
	}

	public int next() {
		return at++;
	}
}

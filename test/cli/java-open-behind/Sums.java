package lib;

public interface Sums {
	void put(int n);

	int sum();
}

class Plain implements Sums {
	private int plain;

	public void put(int n) {
		plain += n;
	}

	public int sum() {
		return plain;
	}
}

class Locked implements Sums {
	private int locked;

	public synchronized void put(int n) {
		locked += n;
	}

	public synchronized int sum() {
		return locked;
	}
}

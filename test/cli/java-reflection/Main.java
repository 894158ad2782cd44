package p;

class ByName {
	ByName() {
		run();
	}

	void run() {
	}
}

class Provider {
	void provide() {
	}

	Provider() {
		provide();
	}
}

class Logged {
	static void invoked(int[] x) {
	}
}

public class Main {
	public static void main(String[] args) throws Exception {
		Class.forName("p.ByName").newInstance();
	}
}

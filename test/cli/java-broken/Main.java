package p;

class Helper {
	static int twice(int x) {
		return 2 * x;
	}
}

class Low extends High {
}

class High {
}

public class Main {
	static int sum;

	public static void main(String[] args) {
		sum = Helper.twice(3);
		Object o = new Low();
	}
}

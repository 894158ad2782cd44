package tools;

public class Tool {
	public static int one(int x) {
		return x + 1;
	}

	public static void main(String[] args) {
		one(2);
	}
}

/* A static initialiser on the way that certainly ends; a task that may come late. */
import java.util.*;
import java.util.concurrent.*;
public class DefiniteInit {
	static class Table {
		static int size = 3;
	}

	static int sure, late;

	public static void main(String[] args) {
		new Thread(() -> {
			int n = Table.size;
			sure = n; // RACE definite
		}).start();
		sure = Table.size; // RACE definite
		new Timer().schedule(new TimerTask() {
			public void run() {
				late = 1; // RACE !definite
			}
		}, 5);
		late = 2; // RACE !definite
	}
}

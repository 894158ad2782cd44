/* A phaser calls its onAdvance when all have arrived; who has not met there races with that. */
import java.util.concurrent.*;
public class PhaserAdvance {
	static int advanced, seen, data;

	public static void main(String[] args) {
		Phaser both = new Phaser(2) {
			protected boolean onAdvance(int phase, int parties) {
				advanced++; // RACE
				return phase > 3;
			}
		};
		new Thread(() -> {
			for (int i = 0; i < 4; i++) {
				data = i; // NORACE
				both.arriveAndAwaitAdvance();
				both.arriveAndAwaitAdvance();
			}
		}).start();
		new Thread(() -> {
			seen = advanced; // RACE
		}).start();
		for (int i = 0; i < 4; i++) {
			both.arriveAndAwaitAdvance();
			System.out.println(data); // NORACE
			both.arriveAndAwaitAdvance();
		}
	}
}

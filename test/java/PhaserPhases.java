/* A phaser as a barrier. */
// BODIES: java.util.concurrent.Phaser
import java.util.*;
import java.util.concurrent.*;
public class PhaserPhases {
	static int bad, good;
	static final Phaser phaser = new Phaser(2);

	public static void main(String[] args) {
		new Thread(() -> {
			bad = 1; // RACE
			good = 1; // NORACE-LIKELY
			phaser.arriveAndAwaitAdvance();
		}).start();
		bad = 2; // RACE
		phaser.arriveAndAwaitAdvance();
		good = 2; // NORACE-LIKELY
	}
}

/* compareAndSet lets one thread in; getAndSet's result that is not looked at lets in all. */
import java.util.concurrent.atomic.AtomicBoolean;
public class AtomicFlagOnce {
	static final AtomicBoolean once = new AtomicBoolean();
	static int bad;

	static void work() {
		once.getAndSet(true);
		bad++; // RACE
	}

	public static void main(String[] args) {
		new Thread(AtomicFlagOnce::work).start();
		work();
	}
}

/* A constructor that registers this where another thread looks. */
import java.util.concurrent.CopyOnWriteArrayList;
public class ListenerLeak {
	static final CopyOnWriteArrayList<ListenerLeak> all = new CopyOnWriteArrayList<>();
	int early, late;

	ListenerLeak() {
		early = 1; // NORACE-LIKELY
		all.add(this);
		late = 2; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> new ListenerLeak()).start();
		for (ListenerLeak l : all) {
			System.out.println(l.early); // NORACE-LIKELY
			System.out.println(l.late); // RACE
		}
	}
}

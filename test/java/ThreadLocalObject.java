/* Each thread has an object of its own by a thread-local; a static one is shared. */
public class ThreadLocalObject {
	static class Buffer {
		int good, bad;
	}

	static final ThreadLocal<Buffer> own = ThreadLocal.withInitial(Buffer::new);
	static final Buffer shared = new Buffer();

	static void work() {
		own.get().good++; // NORACE-LIKELY
		shared.bad++; // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> work()).start();
		work();
	}
}

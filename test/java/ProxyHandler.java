/* What is called on a proxy runs its handler, in the thread that calls; what the handler returns is what
 * the call gives. */
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

class ProxyHandler {
	interface Work {
		Item go();
	}

	static class Item {
		int open, closed, given;
	}

	static class Handler implements InvocationHandler {
		final Object lock = new Object();
		final Item own = new Item();
		int calls;
		int counted;

		@Override
		public Object invoke(Object proxy, Method method, Object[] args) {
			calls++; // RACE
			own.open++; // RACE
			synchronized (lock) {
				counted++; // NORACE
				own.closed++; // NORACE
			}
			return own;
		}
	}

	public static void main(String[] args) throws InterruptedException {
		Work w = (Work)Proxy.newProxyInstance(
		    ProxyHandler.class.getClassLoader(), new Class<?>[] {Work.class}, new Handler());
		Thread t = new Thread(() -> {
			Item mine = w.go();
			mine.given++; // RACE
		});
		t.start();
		Item mine = w.go();
		mine.given++; // RACE
		t.join();
	}
}

/* A condition's await ends the critical section, but what follows holds the lock again. */
import java.util.concurrent.locks.*;
public class Conditions {
	static int bad, good;
	static final Lock lock = new ReentrantLock();
	static final Condition ready = lock.newCondition();

	static void racy() throws Exception {
		Thread t = new Thread(() -> {
			bad = 1; // RACE possible
			lock.lock();
			ready.signal();
			lock.unlock();
		});
		t.start();
		lock.lock();
		ready.await();
		bad = 2; // RACE possible
		lock.unlock();
	}

	static void fixed() throws Exception {
		Thread t = new Thread(() -> {
			lock.lock();
			good = 1; // NORACE
			ready.signal();
			lock.unlock();
		});
		t.start();
		lock.lock();
		ready.await();
		good = 2; // NORACE
		lock.unlock();
	}

	public static void main(String[] args) throws Exception {
		racy();
		fixed();
	}
}

/* A read-write lock beside a switch whose arms compute nothing: its function has more blocks than values. */
import java.util.concurrent.locks.ReentrantReadWriteLock;
public class ReadWriteSwitch {
	private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
	private int guarded, forgotten;

	static int cost(int kind) {
		int cost;
		switch (kind) {
		case 0:
			cost = 3;
			break;
		case 1:
			cost = 4;
			break;
		case 2:
			cost = 7;
			break;
		case 3:
			cost = 12;
			break;
		case 4:
			cost = 19;
			break;
		case 5:
			cost = 11;
			break;
		case 6:
			cost = 5;
			break;
		case 7:
			cost = 18;
			break;
		case 8:
			cost = 16;
			break;
		case 9:
			cost = 16;
			break;
		case 10:
			cost = 18;
			break;
		case 11:
			cost = 5;
			break;
		case 12:
			cost = 11;
			break;
		case 13:
			cost = 19;
			break;
		case 14:
			cost = 12;
			break;
		case 15:
			cost = 7;
			break;
		case 16:
			cost = 4;
			break;
		case 17:
			cost = 3;
			break;
		case 18:
			cost = 4;
			break;
		case 19:
			cost = 7;
			break;
		case 20:
			cost = 12;
			break;
		case 21:
			cost = 19;
			break;
		case 22:
			cost = 11;
			break;
		case 23:
			cost = 5;
			break;
		default:
			cost = 1;
		}
		return cost;
	}

	void put(int kind) {
		lock.writeLock().lock();
		try {
			guarded = cost(kind); // NORACE
			forgotten = guarded; // RACE
		} finally {
			lock.writeLock().unlock();
		}
	}

	int get() {
		lock.readLock().lock();
		try {
			return guarded; // NORACE
		} finally {
			lock.readLock().unlock();
		}
	}

	public static void main(String[] args) {
		ReadWriteSwitch s = new ReadWriteSwitch();
		new Thread(() -> s.put(args.length)).start();
		System.out.println(s.get() + s.forgotten); // RACE
	}
}

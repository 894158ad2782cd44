package lib;

import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;

/** A pool in whose reports locks, paths and causes must be those that its author knows. */
public class Pool {
	private static final Timer timer = new Timer();
	private static final Object gate = new Object();
	private static int made;
	private final Map<Object, Integer> idle = new HashMap<>();
	private final Map<Object, Integer> active = new HashMap<>();
	private final Chain chain = new Chain();
	private int limit;

	/** Its owner's monitor guards it. */
	static class Chain {
		private int length;

		void add() {
			length++;
		}

		int length() {
			return length;
		}
	}

	/** Each side holds another lock. */
	public static synchronized void count() {
		made++;
	}

	public void countAlso() {
		synchronized (gate) {
			made++;
		}
	}

	/** A task that runs one at a time, and holds the pool's monitor. */
	public void start() {
		timer.schedule(new TimerTask() {
			@Override
			public void run() {
				synchronized (Pool.this) {
					idle.put("a", 1);
				}
			}
		}, 1000, 1000);
	}

	public Integer peek(String key) {
		return idle.get(key);
	}

	/** The map itself goes to callers, who may pass it on as a key. */
	public Map<Object, Integer> getActive() {
		return active;
	}

	public synchronized void use(Object key) {
		active.put(key, 1);
	}

	public static String text(Object key) {
		return key.toString();
	}

	/** The same work by a way that holds the monitor, and by one that does not. */
	public synchronized int size() {
		return chain.length();
	}

	public synchronized void grow() {
		chain.add();
	}

	public int tests() {
		return chain.length();
	}

	/** The acquire that is shown is the last one. */
	public void setLimit(int n) {
		synchronized (this) {
			idle.clear();
		}
		synchronized (this) {
			limit = n;
		}
	}

	public int getLimit() {
		return limit;
	}
}

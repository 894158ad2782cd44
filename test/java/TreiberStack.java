/* Field updaters and VarHandles: a Treiber stack, a ticket, a plain read of an updated field. */
import java.lang.invoke.*;
import java.util.concurrent.atomic.*;
public class TreiberStack {
	static class Node {
		final int v;
		Node next;
		Node(int v) {
			this.v = v;
		}
	}
	static class Stack {
		volatile Node head;
		static final AtomicReferenceFieldUpdater<Stack, Node> HEAD =
			AtomicReferenceFieldUpdater.newUpdater(Stack.class, Node.class, "head");
		void push(int v) {
			Node n = new Node(v);
			Node h;
			do {
				h = head;
				n.next = h; // NORACE
			} while (!HEAD.compareAndSet(this, h, n));
		}
		int pop() {
			Node h;
			do {
				h = head;
				if (h == null)
					return -1;
			} while (!HEAD.compareAndSet(this, h, h.next)); // NORACE
			return h.v;
		}
	}
	int ticket;
	int state;
	static final VarHandle TICKET, STATE;
	static {
		try {
			MethodHandles.Lookup l = MethodHandles.lookup();
			TICKET = l.findVarHandle(TreiberStack.class, "ticket", int.class);
			STATE = l.findVarHandle(TreiberStack.class, "state", int.class);
		} catch (ReflectiveOperationException e) {
			throw new ExceptionInInitializerError(e);
		}
	}
	int next() {
		return (int) TICKET.getAndAdd(this, 1); // NORACE
	}
	void begin() {
		if (STATE.compareAndSet(this, 0, 1)) // RACE
			System.out.println("first");
	}
	boolean begun() {
		return state == 1; // RACE
	}
	public static void main(String[] args) {
		Stack s = new Stack();
		TreiberStack f = new TreiberStack();
		for (int i = 0; i < 3; i++)
			new Thread(() -> {
				s.push(f.next());
				s.pop();
				f.begin();
				f.begun();
			}).start();
	}
}

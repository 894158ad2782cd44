/* A server: a thread for each connection that keeps itself in a table of the server; broadcast walks through it. */
import java.io.*;
import java.net.*;
import java.util.*;
public class ServerConnections {
	static class Conn implements Runnable {
		final Socket s;
		final ServerConnections server;
		private String nick = "?";
		private int received;
		private long lastSeen;
		private final byte[] buf = new byte[512];
		Conn(ServerConnections sv, Socket s) {
			server = sv;
			this.s = s;
		}
		public void run() {
			try {
				InputStream in = s.getInputStream();
				int n;
				while ((n = in.read(buf)) > 0) {
					received += n; // NORACE-LIKELY
					lastSeen = System.nanoTime(); // RACE
					nick = "n" + buf[0]; // RACE
					server.broadcast(nick);
				}
			} catch (IOException e) {
			} finally {
				server.remove(this);
			}
		}
	}
	private final List<Conn> conns = new ArrayList<>();
	private int accepted, closed;
	void broadcast(String m) {
		synchronized (conns) {
			for (Conn c : conns)
				System.out.println(c.nick + m); // RACE
		}
	}
	void remove(Conn c) {
		synchronized (conns) {
			conns.remove(c); // NORACE-LIKELY
		}
		closed++; // RACE
	}
	void idle() {
		synchronized (conns) {
			for (Conn c : conns)
				if (System.nanoTime() - c.lastSeen > 1000) // RACE
					System.out.println("idle");
		}
	}
	void serve() throws IOException {
		ServerSocket ss = new ServerSocket(8080);
		Thread t = new Thread(() -> {
			for (;;)
				idle();
		});
		t.start();
		for (;;) {
			Conn c = new Conn(this, ss.accept());
			accepted++; // NORACE
			synchronized (conns) {
				conns.add(c); // NORACE-LIKELY
			}
			new Thread(c).start();
		}
	}
	public static void main(String[] args) throws IOException {
		new ServerConnections().serve();
	}
}

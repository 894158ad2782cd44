/* After Figure 2 of Naik et al. 2006. */
package jdbf;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

public class JdbF {
	public static class Connection {}

	public static class Database {
		private ConnectionManager cm = new ConnectionManager();

		public int insert(String s) {
			Connection c = cm.getConnection(s);
			return c == null ? 0 : 1;
		}

		public int delete(String s) {
			Connection c = cm.getConnection(s);
			return c == null ? 0 : 1;
		}
	}

	static class ConnectionManager {
		private Map<String, ConnectionSource> conns =
		    Collections.synchronizedMap(new HashMap<>());

		ConnectionManager() {
			conns.put("first", new ConnectionSource());
		}

		Connection getConnection(String s) {
			ConnectionSource c = conns.get(s);
			return c != null ? c.getConnection() : null;
		}
	}

	static class ConnectionSource {
		private Connection conn = new Connection();
		private boolean used;

		Connection getConnection() {
			if (!used) {
				used = true;
				return conn;
			}
			throw new IllegalStateException();
		}
	}
}

/* A tree of categories: appenders under the monitor of each category up the tree; a level that is read without. */
import java.util.*;
public class CategoryTree {
	static class Appender {
		int written;
		synchronized void append(String s) {
			written++; // NORACE
		}
	}
	static class Category {
		final String name;
		final Category parent;
		private Vector<Appender> appenders;
		private Integer level;
		boolean additive = true;
		Category(String n, Category p) {
			name = n;
			parent = p;
		}
		synchronized void addAppender(Appender a) {
			if (appenders == null)
				appenders = new Vector<>(); // NORACE
			appenders.add(a);
		}
		void log(String s) {
			for (Category c = this; c != null; c = c.parent) {
				synchronized (c) {
					if (c.appenders != null) // NORACE
						for (int i = 0; i < c.appenders.size(); i++)
							c.appenders.get(i).append(s);
					if (!c.additive) // RACE
						break;
				}
			}
		}
		boolean enabled(int l) {
			for (Category c = this; c != null; c = c.parent)
				if (c.level != null) // RACE
					return l >= c.level; // RACE
			return true;
		}
		void setLevel(int l) {
			level = l; // RACE
		}
		void setAdditive(boolean b) {
			additive = b; // RACE
		}
	}
	public static void main(String[] args) {
		Category root = new Category("root", null), c = new Category("a.b", root);
		root.addAppender(new Appender());
		for (int i = 0; i < 2; i++)
			new Thread(() -> {
				if (c.enabled(3))
					c.log("x");
				c.addAppender(new Appender());
			}).start();
		root.setLevel(4);
		c.setAdditive(false);
	}
}

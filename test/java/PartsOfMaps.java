/* Two owners keep maps in a field of one class, and walk through them: what is found in one is not in the
 * other, also where a context is one object, as views and iterators are parts of their map.  What is in a map that both have is
 * shared. */
// FLAGS: --k 1
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class PartsOfMaps {
	static class Job {
		int steps;
	}

	static class Task {
	}

	static class Common {
		int steps;
	}

	static final Map<String, Object> jobs = new HashMap<>();
	static final Map<String, Object> tasks = new HashMap<>();
	static final List<Object> list = new ArrayList<>();
	static final List<Object> other = new ArrayList<>();
	static final Map<String, Object> common = new HashMap<>();

	static void jobs(Object o) {
		if (o instanceof Job)
			((Job) o).steps++; // NORACE
		if (o instanceof Common)
			((Common) o).steps++; // RACE
	}

	static void tasks(Object o) {
		if (o instanceof Job)
			((Job) o).steps++; // NORACE
		if (o instanceof Common)
			((Common) o).steps++; // RACE
	}

	static void jobs() {
		for (Map.Entry<String, Object> e : jobs.entrySet())
			jobs(e.getValue());
		for (Object o : list)
			jobs(o);
		for (Object o : common.values())
			jobs(o);
	}

	static void tasks() {
		for (Object o : tasks.values())
			tasks(o);
		for (Map.Entry<String, Object> e : tasks.entrySet())
			tasks(e.getValue());
		for (Object o : other)
			tasks(o);
		for (Map.Entry<String, Object> e : common.entrySet())
			tasks(e.getValue());
	}

	public static void main(String[] args) {
		jobs.put("a", new Job());
		list.add(new Job());
		tasks.put("a", new Task());
		other.add(new Task());
		common.put("a", new Common());
		new Thread(PartsOfMaps::jobs).start();
		tasks();
	}
}

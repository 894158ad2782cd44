package q;

import java.util.ServiceLoader;

interface Plug {
	void go();
}

class ByName implements Plug {
	int named;

	public void go() {
		named++;
	}
}

class Served implements Plug {
	int served;

	public void go() {
		served++;
	}
}

public class Plugs {
	static void race(Plug p) {
		new Thread(() -> p.go()).start();
		new Thread(() -> p.go()).start();
	}

	public static void main(String[] args) throws Exception {
		race((Plug)Class.forName("q.ByName").getDeclaredConstructor().newInstance());
		for (Plug p : ServiceLoader.load(Plug.class))
			race(p);
	}
}

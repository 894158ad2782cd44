/* Static variables of the library: what methods of objects keep there for themselves, as calendars their
 * tables, is the library's affair; what the program sets and asks for by static methods is not. */
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.TimeZone;
public class LibraryVariables {
	static String day(int d) {
		Calendar c = new GregorianCalendar(); // NORACE-LIKELY
		c.add(Calendar.DAY_OF_MONTH, d); // NORACE-LIKELY
		return c.toString(); // NORACE-LIKELY
	}

	static final Calendar shared = new GregorianCalendar();

	static void both() {
		shared.add(Calendar.MONTH, 1); // RACE
	}

	public static void main(String[] args) {
		new Thread(() -> day(1)).start();
		new Thread(() -> day(2)).start();
		new Thread(LibraryVariables::both).start();
		new Thread(LibraryVariables::both).start();
	}
}

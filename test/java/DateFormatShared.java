/* Formats keep state of their own: one for each thread, or one for all. */
// BODIES: java.text.DateFormat java.text.SimpleDateFormat
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.Date;

public class DateFormatShared {
	static final SimpleDateFormat shared = new SimpleDateFormat("yyyy-MM-dd");
	static final SimpleDateFormat locked = new SimpleDateFormat("yyyy-MM-dd");

	static String show(Date d) {
		synchronized (locked) {
			locked.format(d); // NORACE
		}
		new SimpleDateFormat("yyyy").format(d); // NORACE
		return shared.format(d); // RACE
	}

	public static void main(String[] args) throws ParseException {
		Date first = new Date();
		new Thread(() -> show(first)).start();
		shared.parse("2020-01-01"); // RACE
		synchronized (locked) {
			locked.parse("2020-01-01"); // NORACE
		}
	}
}

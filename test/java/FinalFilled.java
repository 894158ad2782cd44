/* Arrays in final fields are filled by the constructor, in a loop, if there is something to fill them with, and else they are null:
 * whoever gets the object finds them filled.  Not so an array that is in a field which is not final, or one that was given away before. */
public class FinalFilled {
	static class Query {
		final int[] places, given;
		int[] loose;

		Query(int n) {
			if (n > 0) {
				places = new int[n];
				given = new int[n];
				loose = new int[n]; // RACE possible
				out = given; // RACE
				for (int i = 0; i < n; i++) {
					places[i] = i; // NORACE
					given[i] = i; // RACE possible
					loose[i] = i; // RACE possible
				}
			} else {
				places = null;
				given = null;
			}
		}
	}

	static Query shared;
	static int[] out;

	public static void main(String[] args) {
		new Thread(() -> {
			shared = new Query(args.length); // RACE
		}).start();
		Query q = shared; // RACE
		if (q != null && q.places != null) {
			System.out.println(q.places[0]); // NORACE
			System.out.println(q.given[0]);
			System.out.println(q.loose[0]); // RACE possible
		}
		int[] o = out; // RACE
		if (o != null)
			System.out.println(o[0]); // RACE possible
	}
}

/* After Eslamimehr and Palsberg 2014: warnings are cleared while they accumulate. */
public class AccumulateWarning {
	static class SqlWarning {
		private SqlWarning next;

		synchronized void setNextException(SqlWarning e) {
			next = e; // NORACE
		}
	}

	private SqlWarning warnings_;

	public void accumulateWarning(SqlWarning e) {
		if (warnings_ == null) { // RACE
			warnings_ = e; // RACE
		} else {
			warnings_.setNextException(e); // RACE
		}
	}

	public void clearWarningsX() {
		warnings_ = null; // RACE
	}

	public static void main(String[] args) {
		AccumulateWarning c = new AccumulateWarning();
		new Thread(() -> c.accumulateWarning(new SqlWarning())).start();
		c.clearWarningsX();
	}
}

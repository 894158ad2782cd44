/* Where every function is hidden, a part of a library is checked, and its functions
 * are what the other parts call. */
// FLAGS: --open
static int count;

__attribute__((visibility("hidden"))) void
part_count(int n)
{
	count += n; // RACE
}

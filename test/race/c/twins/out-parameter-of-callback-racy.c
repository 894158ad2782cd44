/* A library hands a variable that all its calls share to the callbacks of its users. */
// FLAGS: --open

struct source {
	int (*size)(struct source *s, long *out);
};

long
source_size(struct source *s)
{
	static long size;

	size = 0; // RACE
	if (!s->size(s, &size))
		return -1;
	return size * 2; // RACE
}

/* A library hands a local variable to the callbacks of its users; each call has a variable of its own. */
// FLAGS: --open

struct source {
	int (*size)(struct source *s, long *out);
};

long
source_size(struct source *s)
{
	long size = 0; // NORACE

	if (!s->size(s, &size))
		return -1;
	return size * 2; // NORACE
}

static int hits;

static inline void
bump(void)
{
	hits++;
}

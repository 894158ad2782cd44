/* sort.c - merge sort from the bottom up: short runs by insertion, then runs of twice the
 * length, to and fro between the keys and a block of the same size. */
#include "sort.h"

#include <string.h>

enum { RUN = FIRST_CAP(12) };

static inline bool
before(WideKey x, WideKey y)
{
	return x.high < y.high || (x.high == y.high && x.low < y.low);
}

static void
insert_each(WideKey *at, u32 n)
{
	for (u32 i = 1; i < n; i++) {
		WideKey x = at[i];
		u32 k = i;

		for (; k && before(x, at[k - 1]); k--)
			at[k] = at[k - 1];
		at[k] = x;
	}
}

/* Merges from[0, mid) and from[mid, n) into to. */
static void
merge(WideKey *to, const WideKey *from, u32 mid, u32 n)
{
	u32 i = 0, j = mid;

	for (u32 k = 0; k < n; k++)
		to[k] = j == n || (i < mid && !before(from[j], from[i])) ? from[i++] : from[j++];
}

void
sort_keys(Arena *scratch, WideKey *at, u32 n)
{
	WideKey *from = at, *to, *block;

	for (u32 i = 0; i < n; i += RUN)
		insert_each(at + i, MIN(RUN, n - i));
	if (n <= RUN)
		return;
	block = to = arena_array(scratch, WideKey, n);
	for (u64 run = RUN; run < n; run *= 2) {
		WideKey *t = from;

		for (u64 i = 0; i < n; i += 2 * run)
			merge(to + i, from + i, (u32)MIN(run, n - i), (u32)MIN(2 * run, n - i));
		from = to;
		to = t;
	}
	if (from != at)
		memcpy(at, from, n * sizeof *at);
	arena_recycle(scratch, block, n * sizeof *block);
}

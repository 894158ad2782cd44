/* least.h - a set of small numbers that gives back the least of them.
 *
 * A row of bits, above it one with a bit for each of its words that is not 0, and
 * so on: to add or to take one touches a word of each, where a heap moves many. */
#ifndef BASE_LEAST_H
#define BASE_LEAST_H

#include "base/vec.h"

enum { LEAST_ROWS = 3 }; /* of the last one the words are looked through */

typedef struct Least {
	Vec(u64) row[LEAST_ROWS];
	u32 n;
} Least;

static inline void
least_add(Arena *a, Least *l, u32 x)
{
	for (u32 k = 0; k < LEAST_ROWS; k++, x /= 64) {
		if (x / 64 >= l->row[k].n)
			(void)vec_extend(a, &l->row[k], x / 64 + 1 - l->row[k].n);
		if (l->row[k].at[x / 64] >> x % 64 & 1)
			return; /* and so it is in those above */
		l->row[k].at[x / 64] |= (u64)1 << x % 64;
		l->n += !k;
	}
}

/* Takes the least; there is one. */
static inline u32
least_take(Least *l)
{
	u32 x = 0;

	while (!l->row[LEAST_ROWS - 1].at[x])
		x++;
	for (u32 k = LEAST_ROWS; k--;)
		x = x * 64 + (u32)__builtin_ctzll(l->row[k].at[x]);
	for (u32 k = 0, y = x; k < LEAST_ROWS; k++, y /= 64) {
		u64 *word = &l->row[k].at[y / 64];
		*word &= ~((u64)1 << y % 64);
		if (*word)
			break;
	}
	l->n--;
	return x;
}

static inline void
least_clear(Least *l)
{
	while (l->n)
		(void)least_take(l);
}

#endif

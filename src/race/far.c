/* far.c - how far an access is from a plain call of the program.
 *
 * Of pairs that are as sure as each other, one is shown and believed: that of which no side
 * lies in the making or the end of some object, which is the object of its thread alone as a rule, and
 * to whose sides the fewest calls lead.  This chooses among pairs and paths; it decides nothing. */
#include "race/race_int.h"

/* How it is kept, once it was asked for. */
enum { MANY_CALLS = 31, MAKING = 1 << 5, KNOWN = 1 << 6 };

static u8
look(const Races *r, const Access *a)
{
	const u32 making = FN_CONSTRUCTOR | FN_CINIT | FN_DESTRUCTOR;
	const Way *ways = r->conc->ways;
	u32 calls = 0, all = pta_fn(r->pta, a->inst)->flags;

	for (u32 w = a->way; ways[w].edge; w = ways[w].from) {
		u32 flags = pta_fn(r->pta, r->pta->edges.at[ways[w].edge - 1].from)->flags;
		all |= flags;
		calls += !(flags & (FN_LIBRARY | FN_SYNTHETIC)) && calls < MANY_CALLS;
	}
	return (u8)(KNOWN | (all & making ? MAKING : 0) | calls);
}

Far
far_of(const Races *r, u32 access)
{
	u8 *far = &r->far[access];

	if (!*far)
		*far = look(r, access_at(r, access));
	return (Far){(*far & MAKING) != 0, *far % MAKING};
}

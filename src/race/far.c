/* far.c - how far an access is from a plain call of the program.
 *
 * Of pairs that are as sure as each other, one is shown and believed: that of which no side
 * lies in the making or the end of some object, which is the object of its thread alone as a rule, and
 * to whose sides the fewest calls lead.  This chooses among pairs and paths; it decides nothing. */
#include "race/race_int.h"

enum { MANY_CALLS = 31 };

Far
far_of(const Races *r, u32 access)
{
	const u32 making = FN_CONSTRUCTOR | FN_CINIT | FN_DESTRUCTOR;
	const Access *a = access_at(r, access);
	const Way *ways = r->conc->ways;
	Far far = {(pta_fn(r->pta, a->inst)->flags & making) != 0, 0};

	for (u32 w = a->way; ways[w].edge; w = ways[w].from) {
		u32 flags = pta_fn(r->pta, r->pta->edges.at[ways[w].edge - 1].from)->flags;
		far.making |= (flags & making) != 0;
		far.calls += !(flags & (FN_LIBRARY | FN_SYNTHETIC)) && far.calls < MANY_CALLS;
	}
	return far;
}

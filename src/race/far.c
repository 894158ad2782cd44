/* far.c - how far an access is from a plain call of the program.
 *
 * Of pairs that are as sure as each other, one is shown and believed: that of which no side
 * lies in the making or the end of some object, which is the object of its thread alone as a rule, and
 * to whose sides the fewest calls lead.  This chooses among pairs and paths; it decides nothing. */
#include "race/race_int.h"

u8
far_look(const Races *r, u32 access)
{
	const u32 making = FN_CONSTRUCTOR | FN_CINIT | FN_DESTRUCTOR;
	const Access *a = access_at(r, access);
	const Way *ways = r->conc->ways;
	u32 calls = 0, all = pta_fn(r->pta, a->inst)->flags;

	for (u32 w = a->way; ways[w].edge; w = ways[w].from) {
		u32 flags = pta_fn(r->pta, r->pta->edges.at[ways[w].edge - 1].from)->flags;
		all |= flags;
		calls += !(flags & (FN_LIBRARY | FN_SYNTHETIC)) && calls < FAR_CALLS;
	}
	return r->far[access] = (u8)(FAR_KNOWN | (all & making ? FAR_MAKING : 0) | calls);
}

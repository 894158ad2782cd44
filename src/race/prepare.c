/* prepare.c - what is set up before the threads that use it are started.
 *
 * A function that writes an object and then forks needs no lock: nobody else has it yet.  So it is where the main thread calls a
 * function that writes, and then, in the caller or in that one's, one that forks: setup_all(); start_all().  Other threads may run
 * already, so nothing is excluded by it: such a place is no witness of which lock a member has (slip.c). */
#include "race/race_int.h"

enum { CALLERS = 2 }; /* that may start threads behind a call */

/* Does the function fork behind the instruction, by calls that do nothing but that, too? */
static bool
forks_behind(const Races *r, const Set *forking, InstId inst, InsId ins, bool calls)
{
	const Inst *in = pta_inst(r->pta, inst);

	for (u32 e = in->edge; e < in->edge + in->nedge; e++) {
		const Edge *x = &r->pta->edges.at[e];
		if ((x->fork || (calls && set_has(forking, inst_fn(r, x->to)))) &&
		    walk_reaches(r->walk, inst_fn(r, inst), ins, x->ins))
			return true;
	}
	return false;
}

bool
sets_up(const Races *r, const Set *forking, const Unit *u)
{
	const Access *a = access_at(r, u->access);
	u32 way = a->way;

	if (set_empty(forking))
		return false;
	if (set_has(forking, inst_fn(r, a->inst)) &&
	    forks_behind(r, forking, a->inst, a->ins, false))
		return true;
	for (u32 i = u->access; i < u->access + u->naccess; i++)
		if (access_at(r, i)->thread != 1)
			return false;
	for (u32 k = 0; k < CALLERS && r->conc->ways[way].edge; k++) {
		const Edge *e = &r->pta->edges.at[r->conc->ways[way].edge - 1];
		if (forks_behind(r, forking, e->from, e->ins, true))
			return true;
		way = r->conc->ways[way].from;
	}
	return false;
}

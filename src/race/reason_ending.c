/* reason_ending.c - the process reports a fatal error and ends (conc/ending.h).
 *
 * What it reads for its report may change meanwhile, and nobody minds.  The instances
 * that a thread reaches by other calls are found by one search from its start, at the
 * first question; what else it runs, it runs while the process ends.
 * This is no proof: it only lowers a rung. */
#include "race/reason_int.h"

enum { MAX_THREADS = 256 /* with more, nobody asks */ };

/* What each thread reaches without such a call. */
typedef struct Ending {
	bool **living; /* [ThreadId][InstId]; null: not asked */
} Ending;

static Ending *
ending_of(Reasons *rs)
{
	const Races *r = rs->r;

	if (rs->ending)
		return rs->ending;
	rs->ending = arena_new(r->arena, Ending);
	rs->ending->living = arena_array(r->arena, bool *, r->conc->threads->at.n + 1);
	return rs->ending;
}

static const bool *
living_of(const Races *r, Ending *e, ThreadId t)
{
	const Pta *p = r->pta;
	InstId start = thread_get(r->conc->threads, t)->start;
	VecU32 work = {0};
	bool *seen;

	if (e->living[t])
		return e->living[t];
	seen = e->living[t] = arena_array(r->arena, bool, p->insts.n + 1);
	seen[start] = true;
	vec_push(r->arena, &work, start);
	while (work.n) {
		const Inst *i = &p->insts.at[work.at[--work.n]];
		for (u32 k = i->edge; k < i->edge + i->nedge; k++) {
			const Edge *x = &p->edges.at[k];
			if (x->fork || seen[x->to] || r->conc->ending[k])
				continue;
			seen[x->to] = true;
			vec_push(r->arena, &work, x->to);
		}
	}
	return seen;
}

bool
reason_ending(Reasons *rs, u32 access)
{
	const Races *r = rs->r;
	const Access *a = access_at(r, access);

	return r->conc->ending && r->conc->threads->at.n <= MAX_THREADS &&
	       !living_of(r, ending_of(rs), a->thread)[a->inst];
}

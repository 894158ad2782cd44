/* conc.c - the analyses of this directory in order, and call paths.
 *
 *	threads   who runs what, how often, what is shared
 *	order     who may be running at each point
 *	fresh     what is not yet published
 *	entries   in which states functions are entered, locks left out
 *	stable    which memory lock names may go through
 *	locks     relative locksets, callees first
 *	entries   again, now with the locks held
 *	distinct  what each instance of a thread has for itself
 *	inits     which classes are initialised
 *	flags     which values the threads' own flags have
 *	phases    how often barriers were passed
 *	covers    which locks one thread holds while others run
 *	accesses  each touched cell with all that is known of it (list.c) */
#include "conc/conc.h"

#include "conc/ending.h"
#include "conc/entry.h"
#include "conc/guess.h"
#include "conc/list.h"
#include "conc/stable.h"

enum { MAX_ENTRIES = 16 };

/* What is solved side by side, each with memory of its own. */
typedef struct Start {
	Conc *c;
	Frames *frames;
	Arena *arena[3];
} Start;

static void
solve_one(void *ctx, u32 i, u32 worker)
{
	Start *s = ctx;

	(void)worker;
	switch (i) { /* the longest first */
	case 0: s->c->fresh = fresh_solve(s->arena[0], s->c->threads); break;
	case 1: s->c->order = order_solve(s->arena[1], s->c->threads); break;
	default: s->frames = frames_solve(s->arena[2], s->c->pta); break;
	}
}

/* Publication and order ask for nothing but the threads, and frames for less. */
static Frames *
solve_start(Conc *c, Pool *pool)
{
	Start s = {.c = c};

	for (u32 i = 0; i < COUNT(s.arena); i++)
		s.arena[i] = arena_inner(c->arena);
	pool_run(pool, COUNT(s.arena), solve_one, &s);
	return s.frames;
}

Conc *
conc_new(Arena *a, const Pta *p)
{
	Conc *c = arena_new(a, Conc);

	*c = (Conc){.ir = p->ir, .pta = p, .arena = a};
	return c;
}

static void
list_ways(Conc *c)
{
	const Entries *e = c->entries;

	c->ways = arena_array(c->arena, Way, e->at.n);
	c->nway = e->at.n;
	for (u32 i = 1; i < e->at.n; i++)
		c->ways[i] = (Way){e->at.at[i].from, e->at.at[i].edge};
}

Conc *
conc_solve(Arena *a, const Pta *p, const ConcOptions *opt)
{
	Conc *c = conc_new(a, p);
	EntryInput in = {.max = opt->max_entries ? opt->max_entries : MAX_ENTRIES};
	Entries *early = arena_new(a, Entries), *late = arena_new(a, Entries);
	Pool *pool = pool_new(a, MAX(MIN(opt->jobs, LIST_STAGES), 1));
	Frames *frames;
	Stable *stable;
	Arena scratch;

	c->ending = ending_calls(a, p);
	c->guess = guess_calls(a, p);
	c->threads = threads_build(a, p);
	frames = solve_start(c, pool);
	arena_init(&scratch, a->budget);
	in.t = c->threads;
	in.order = c->order;
	in.fresh = c->fresh;
	entries_solve(early, &scratch, &in);
	stable = stable_solve(a, early);
	arena_release(&scratch);
	c->locks = locks_solve(arena_inner(a), c->threads, stable_at, stable);
	in.locks = c->locks;
	in.ending = c->ending;
	in.guess = c->guess;
	entries_solve(late, arena_inner(a), &in);
	c->entries = late;
	list_ways(c);
	list_accesses(c, late, frames, pool);
	pool_release(pool);
	c->merged_entries = late->merged;
	c->complete = p->complete && early->complete && late->complete && !arena_exceeded(a);
	return c;
}

bool
conc_enters_beside(const Conc *c, ThreadId t, InstId inst, ThreadId other)
{
	for (u32 k = 1; k < c->entries->at.n; k++) {
		const Entry *e = &c->entries->at.at[k];
		if (!e->dead && e->thread == t && e->inst == inst &&
		    set_has(order_running(c->order, e->order), other))
			return true;
	}
	return false;
}

/* ---- call paths --------------------------------------------------------- */

u32
conc_path(const Conc *c, const Access *acc, Arena *a, const Edge ***out)
{
	u32 n = 0, k;

	for (u32 w = acc->way; c->ways[w].edge; w = c->ways[w].from)
		n++;
	*out = arena_array(a, const Edge *, n + 1);
	k = n;
	for (u32 w = acc->way; c->ways[w].edge; w = c->ways[w].from)
		(*out)[--k] = &c->pta->edges.at[c->ways[w].edge - 1];
	return n;
}

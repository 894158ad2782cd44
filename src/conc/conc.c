/* conc.c - the analyses of this directory in order, and call paths.
 *
 *	threads   who runs what, how often, what is shared
 *	frames    which variables are a thread's own, whoever runs
 *	order     who may be running at each point
 *	fresh     what is not yet published
 *	entries   in which states functions are entered, locks left out
 *	stable    which memory lock names may go through
 *	locks     relative locksets, callees first
 *	distinct  what each instance of a thread has for itself
 *	entries   again, now with the locks held
 *	inits     which classes are initialised
 *	flags     which values the threads' own flags have
 *	phases    how often barriers were passed
 *	covers    which locks one thread holds while others run
 *	accesses  each touched cell with all that is known of it (list.c) */
#include "conc/conc.h"

#include "conc/ending.h"
#include "conc/entry.h"
#include "conc/entry_call.h"
#include "conc/guess.h"
#include "conc/list.h"
#include "conc/recur.h"
#include "conc/stable.h"

enum { MAX_ENTRIES = 16 };

/* Analyses that remember what they were asked have memory of their own, so that others can be
 * asked at the same time. */
typedef enum Owner { OF_FRAMES, OF_ORDER, OF_FRESH, OF_LOCKS, OWNERS } Owner;

/* What is solved side by side. */
typedef struct Solver {
	Conc *c;
	u32 max_runs;
	Arena *own[OWNERS];
	Arena scratch, calls, shares; /* of the early entries, EntryCalls, and Distinct */
	EntryInput in;
	Entries *early, *late;
	Frames *frames;
	Stable *stable;
	Set recurring;      /* recur.h */
	Distinct *distinct; /* null: not yet */
} Solver;

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

/* Frames and what calls are like ask for nothing but points-to. */
static void
first(void *ctx, u32 i, u32 worker)
{
	Solver *s = ctx;
	Conc *c = s->c;

	(void)worker;
	if (i == 0) {
		c->threads = threads_build(c->arena, c->pta, c->guess, s->max_runs);
		return;
	}
	s->frames = frames_solve(s->own[OF_FRAMES], c->pta);
	c->ending = ending_calls(s->own[OF_FRAMES], c->pta);
}

/* Publication and order ask for nothing but the threads. */
static void
second(void *ctx, u32 i, u32 worker)
{
	Solver *s = ctx;
	Conc *c = s->c;

	(void)worker;
	if (i == 0)
		c->order = order_solve(s->own[OF_ORDER], c->threads);
	else
		c->fresh = fresh_solve(s->own[OF_FRESH], c->threads);
}

/* Only memory that is never written by two is asked for by the locks. */
static void
third(void *ctx, u32 i, u32 worker)
{
	Solver *s = ctx;
	Conc *c = s->c;

	(void)worker;
	if (i == 0) {
		s->in.t = c->threads;
		s->in.order = c->order;
		s->in.fresh = c->fresh;
		entries_solve(s->early, &s->scratch, &s->in);
		s->stable = stable_solve(c->arena, s->early);
		s->recurring = recur_locks(s->early, c->arena);
	} else {
		c->locks = locks_new(s->own[OF_LOCKS], c->threads);
	}
}

/* Few entries are themselves looked at for what is distinct. */
static void
fourth(void *ctx, u32 i, u32 worker)
{
	Solver *s = ctx;
	Conc *c = s->c;

	(void)worker;
	if (i == 0) {
		locks_solve(c->locks, &s->recurring, stable_at, s->stable);
		return;
	}
	fresh_publications(c->fresh);
	if (!distinct_few(s->early->at.n))
		s->distinct = distinct_solve(&s->shares, c->threads, c->order, c->fresh, NULL);
}

static void
begin(Solver *s, Arena *a, const Pta *p, u32 max_entries)
{
	s->c = conc_new(a, p);
	for (Owner i = 0; i < OWNERS; i++)
		s->own[i] = arena_inner(a);
	arena_init(&s->scratch, a->budget);
	arena_init(&s->calls, a->budget);
	arena_init(&s->shares, a->budget);
	s->early = arena_new(a, Entries);
	s->late = arena_new(a, Entries);
	s->in.max = max_entries ? max_entries : MAX_ENTRIES;
	s->in.sites = entry_sites_new(arena_inner(a), p);
	s->in.calls = entry_calls_new(&s->calls);
}

/* The entries with the locks held. */
static void
enter_late(Solver *s)
{
	Conc *c = s->c;

	s->in.locks = c->locks;
	s->in.ending = c->ending;
	s->in.guess = c->guess;
	entries_solve(s->late, arena_inner(c->arena), &s->in);
	arena_release(&s->calls);
	c->entries = s->late;
	list_ways(c);
}

Conc *
conc_solve(Arena *a, const Pta *p, const ConcOptions *opt)
{
	Pool *pool = pool_new(a, MAX(MIN(opt->jobs, LIST_STAGES), 1));
	Solver s = {0};
	Conc *c;

	s.max_runs = opt->max_runs;
	begin(&s, a, p, opt->max_entries);
	c = s.c;
	c->guess = guess_calls(c->arena, c->pta);
	pool_run(pool, 2, first, &s);
	pool_run(pool, 2, second, &s);
	pool_run(pool, 2, third, &s);
	arena_release(&s.scratch);
	pool_run(pool, 2, fourth, &s);
	enter_late(&s);
	list_accesses(c, s.late, s.frames, s.distinct, pool);
	arena_release(&s.shares);
	pool_release(pool);
	c->merged_entries = s.late->merged;
	c->complete = p->complete && s.early->complete && s.late->complete && !arena_exceeded(a);
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

ThreadId
conc_thread(const Conc *c, const Access *acc)
{
	const Threads *t = c->threads;
	InstId start = acc->inst;

	if (!threads_is_crew(t, acc->thread))
		return acc->thread;
	for (u32 w = acc->way; c->ways[w].edge; w = c->ways[w].from)
		start = c->pta->edges.at[c->ways[w].edge - 1].from;
	for (ThreadId x = acc->thread; x < t->at.n; x++)
		if (thread_get(t, x)->crew == acc->thread && thread_get(t, x)->start == start)
			return x;
	return acc->thread;
}

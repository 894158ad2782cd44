/* conc.c - the analyses of this directory in order, and the list of accesses.
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
 *	accesses  each touched cell with all that is known of it */
#include "conc/conc.h"

#include "conc/ending.h"
#include "conc/entry.h"
#include "conc/flag.h"
#include "conc/frame.h"
#include "conc/guess.h"
#include "conc/init.h"
#include "conc/lock_cover.h"
#include "conc/phase.h"
#include "conc/stable.h"

#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 16, MAX_EXTENTS = 256 };

/* Of what an instance touches, whoever runs it. */
typedef enum TouchState {
	TOUCH_SHARED = 1, /* it may be shared */
	TOUCH_PRIVATE,    /* never */
	TOUCH_OWN         /* it may be shared, but is of the instance's own frame */
} TouchState;

/* What a thread touches of an object, whatever the entry. */
typedef struct Part {
	u32 extent, family;
	bool known;
} Part;

typedef struct Lister {
	Conc *c;
	Entries *e;
	Distinct *distinct;
	Frames *frames;
	Inits *inits;   /* null: no class has an initialiser */
	Covers *covers; /* null: there are none */
	Intern seen;
	Arena *arena;
	u8 **states;       /* [InstId][2 * site + touch]: a TouchState; 0 not asked */
	Map part_of;       /* (thread, instance) -> index in parts plus 1 */
	Vec(Part *) parts; /* [2 * site + touch] */
	u32 entry;         /* the present one, and its: */
	u8 *state;
	Part *part;
} Lister;

static bool
any_shared(const Conc *c, InstId inst, Val addr)
{
	SET_FOR (it, pta_pts(c->pta, inst, addr))
		if (threads_shared(c->threads, pta_slot(c->pta, it.x)->obj))
			return true;
	return false;
}

/* Keeps acc unless one that differs in nothing that matters is there. */
static void
keep(Lister *l, Access acc)
{
	u32 before = intern_count(&l->seen);
	LocksetId held = acc.held;

	acc.held = 0;
	intern_bytes(&l->seen, &acc, offsetof(Access, way));
	acc.held = held;
	if (intern_count(&l->seen) != before)
		vec_push(l->c->arena, &l->c->accesses, acc);
}

/* The rows of an entry's instance and thread. */
static void
take_rows(Lister *l, const Entry *en)
{
	u32 n = 2 * entries_sites(l->e, pta_inst(l->c->pta, en->inst)->fn, SITE_TOUCH);
	u32 *part = map_at(l->arena, &l->part_of, map_pair(en->thread, en->inst));

	if (!l->states[en->inst])
		l->states[en->inst] = arena_array(l->arena, u8, n);
	if (!*part) {
		vec_push(l->arena, &l->parts, arena_array(l->arena, Part, n));
		*part = l->parts.n;
	}
	l->state = l->states[en->inst];
	l->part = l->parts.at[*part - 1];
}

static TouchState
state_of(const Lister *l, const Access *acc)
{
	if (!any_shared(l->c, acc->inst, acc->addr))
		return TOUCH_PRIVATE;
	return frames_own(l->frames, acc->inst, acc->addr) ? TOUCH_OWN : TOUCH_SHARED;
}

static Part
find_part(const Lister *l, const Access *acc)
{
	return (Part){
	    distinct_extent(l->distinct, acc->thread, acc->inst, acc->ins, acc->addr, acc->size),
	    distinct_family(l->distinct, acc->thread, acc->inst, acc->ins, acc->addr, acc->size),
	    true};
}

static GuardId
guards_of(Lister *l, const Access *acc, TouchState state)
{
	Conc *c = l->c;
	u8 op = ir_ins(c->ir, acc->ins)->op;
	/* Handles and results are stored while, or after, another thread runs. */
	bool timely = op != OP_FORK && op != OP_JOIN;
	GuardId guards = 0;

	if (acc->held)
		guards = locks_guard(c->locks, acc->inst, acc->addr, acc->size, acc->held);
	if (l->inits)
		guards = locks_guard_inits(c->locks, acc->inst, guards,
					   inits_at(l->inits, acc->inst, acc->ins));
	if (c->flags && timely)
		guards = flags_guard(c->flags, acc->thread, acc->inst, acc->ins, guards);
	if (c->phases && timely)
		guards = phases_guard(c->phases, acc->thread, acc->inst, acc->ins, guards);
	if (l->covers && timely)
		guards = covers_guard(l->covers, acc, guards);
	if (state == TOUCH_OWN)
		guards = locks_guard_frame(c->locks, acc->inst, guards,
					   set_first(pta_pts(c->pta, acc->inst, acc->addr)));
	return guards;
}

/* Lists touch i of pt's instruction, of memory that may be shared. */
static void
list_shared(Lister *l, const Point *pt, Access acc, u32 i)
{
	Conc *c = l->c;
	Part *part = &l->part[2 * pt->site + i];

	acc.thread = pt->entry->thread;
	acc.order = pt->order;
	/* A handle may be stored when the new thread already runs. */
	if (ir_ins(c->ir, acc.ins)->op == OP_FORK)
		acc.order = order_step(c->order, acc.thread, acc.inst, acc.ins, acc.order);
	if (fresh_access(c->fresh, acc.inst, pt->entry->fresh, pt->ins, i))
		acc.flags |= ACC_FRESH;
	if (fresh_frozen(c->fresh, acc.inst, pt->entry->fresh, pt->ins))
		acc.flags |= ACC_FROZEN;
	acc.held = entries_held(l->e, pt);
	if (!part->known)
		*part = find_part(l, &acc);
	acc.extent = part->extent;
	acc.family = part->family;
	acc.guards = guards_of(l, &acc, l->state[2 * pt->site + i]);
	keep(l, acc);
}

static void
list(void *ctx, const Point *pt)
{
	Lister *l = ctx;
	Conc *c = l->c;
	Touch touch[2];
	u32 n = access_touches(c->ir, pt->ins, touch);

	for (u32 i = 0; i < n; i++) {
		u8 *state = &l->state[2 * pt->site + i];
		bool first = !*state;
		Access acc;
		if (*state == TOUCH_PRIVATE)
			continue;
		memset(&acc, 0, sizeof acc); /* padding too: it is hashed */
		acc.ins = pt->ins;
		acc.inst = pt->entry->inst;
		acc.way = l->entry;
		acc.addr = touch[i].addr;
		acc.flags = touch[i].flags;
		acc.size = touch[i].size;
		if (!acc.size && (acc.size = access_most(c->ir, pta_fn(c->pta, acc.inst), acc.ins)))
			acc.flags |= ACC_UPTO;
		if (first)
			*state = (u8)state_of(l, &acc);
		if (*state != TOUCH_PRIVATE) {
			list_shared(l, pt, acc, i);
		} else { /* one entry stands for all */
			acc.thread = 1;
			acc.order = order_start(c->order, 1);
			keep(l, acc);
		}
	}
}

/* ---- accesses of other bytes -------------------------------------------------- */

/* Accesses whose extents share no byte exclude each other, as by a guard. */
static void
keep_extents_apart(Conc *c, const Distinct *d)
{
	VecU32 seen = {0};

	for (u32 i = 0; i < c->accesses.n; i++) {
		u32 x = c->accesses.at[i].extent, k = 0;
		while (k < seen.n && seen.at[k] != x)
			k++;
		if (x && k == seen.n && k < MAX_EXTENTS)
			vec_push(c->arena, &seen, x);
	}
	for (u32 i = 0; i < c->accesses.n; i++) {
		Access *a = &c->accesses.at[i];
		const Extent *x = distinct_extent_get(d, a->extent), *y;
		for (u32 k = 0; a->extent && k < seen.n; k++) {
			y = distinct_extent_get(d, seen.at[k]);
			if (extents_apart(x, y))
				a->guards =
				    locks_guard_extent(c->locks, a->inst, a->guards,
						       set_first(pta_pts(c->pta, a->inst, a->addr)),
						       a->extent, seen.at[k]);
		}
	}
}

static int
compare(const void *x, const void *y)
{
	const Access *a = x, *b = y;
	const u32 ka[] = {a->ins,   a->flags,  a->inst, a->thread,
			  a->order, a->guards, a->addr, a->family};
	const u32 kb[] = {b->ins,   b->flags,  b->inst, b->thread,
			  b->order, b->guards, b->addr, b->family};

	for (u32 i = 0; i < COUNT(ka); i++)
		if (ka[i] != kb[i])
			return ka[i] < kb[i] ? -1 : 1;
	return 0;
}

/* By instruction first, counting: each has few. */
static void
sort_accesses(Conc *c, Arena *scratch)
{
	u32 n = c->accesses.n, *first = arena_array(scratch, u32, c->ir->ins.n + 1);
	Access *to = arena_array(scratch, Access, n), *at = c->accesses.at;

	for (u32 i = 0; i < n; i++)
		first[at[i].ins + 1]++;
	for (InsId k = 0; k < c->ir->ins.n; k++)
		first[k + 1] += first[k];
	for (u32 i = 0; i < n; i++)
		to[first[at[i].ins]++] = at[i];
	for (u32 i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && to[end].ins == to[i].ins;)
			end++;
		if (end > i + 1)
			qsort(to + i, end - i, sizeof *to, compare);
	}
	if (n)
		memcpy(at, to, n * sizeof *to);
}

static void
list_accesses(Conc *c, Entries *e)
{
	Arena scratch;
	Lister l = {.c = c, .e = e, .arena = &scratch};

	arena_init(&scratch, c->arena->budget);
	l.states = arena_array(&scratch, u8 *, c->pta->insts.n);
	l.distinct = distinct_solve(&scratch, e);
	l.inits = inits_solve(&scratch, c->threads);
	l.frames = frames_solve(&scratch, c->pta);
	c->flags = flags_solve(c->arena, e);
	c->phases = phases_solve(c->arena, e, l.distinct);
	l.covers = covers_solve(&scratch, e);
	intern_init(&l.seen, &scratch);
	for (u32 i = 1; i < e->at.n && !arena_exceeded(c->arena); i++)
		if (!e->at.at[i].dead) {
			l.entry = i;
			take_rows(&l, &e->at.at[i]);
			entries_walk(e, &e->at.at[i], SITE_TOUCH, list, &l);
		}
	keep_extents_apart(c, l.distinct);
	sort_accesses(c, &scratch);
	arena_release(&scratch);
}

typedef struct Start {
	Conc *c;
	Arena *arena[2];
} Start;

/* What asks for nothing but the threads. */
static void
solve_one(void *ctx, u32 i, u32 worker)
{
	Start *s = ctx;

	(void)worker;
	if (i)
		s->c->order = order_solve(s->arena[1], s->c->threads);
	else
		s->c->fresh = fresh_solve(s->arena[0], s->c->threads);
}

/* Order and publication side by side, each with memory of its own. */
static void
solve_start(Conc *c, u32 jobs)
{
	Start s = {c, {arena_inner(c->arena), arena_inner(c->arena)}};
	Pool *pool = pool_new(c->arena, MAX(MIN(jobs, 2), 1));

	pool_run(pool, 2, solve_one, &s);
	pool_release(pool);
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
	Stable *stable;
	Arena scratch;

	c->ending = ending_calls(a, p);
	c->guess = guess_calls(a, p);
	c->threads = threads_build(a, p);
	solve_start(c, opt->jobs);
	arena_init(&scratch, a->budget);
	in.t = c->threads;
	in.order = c->order;
	in.fresh = c->fresh;
	entries_solve(early, &scratch, &in);
	stable = stable_solve(a, early);
	arena_release(&scratch);
	c->locks = locks_solve(a, c->threads, stable_at, stable);
	in.locks = c->locks;
	in.ending = c->ending;
	in.guess = c->guess;
	entries_solve(late, a, &in);
	c->entries = late;
	list_ways(c);
	list_accesses(c, late);
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

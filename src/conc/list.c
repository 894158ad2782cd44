/* list.c - every access with the states in which it is reached.
 *
 * The entries are walked in batches, and each batch goes through three stages:
 *
 *	reach   who runs then, what is unpublished   (order, fresh, frames)
 *	guard   what is held, whose share it is      (locks, distinct, ...)
 *	keep    each once                            (the list)
 *
 * A stage has the analyses that it asks, which remember what they were asked, and its
 * memory for itself; so the next batch is reached while this one is guarded and the last
 * one is kept.  Each stage sees the batches in their order: what comes out is the same for
 * any number of workers.  Flags, barriers, covers and the shares of small programs ask for
 * the order as well: there the stages run one after the other. */
#include "conc/list.h"

#include "conc/flag.h"
#include "conc/init.h"
#include "conc/lock_cover.h"
#include "conc/phase.h"
#include "conc/region.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_EXTENTS = 256, SORT_PARTS = 8 };
enum { BATCH = 1024 }; /* few enough to be near when the next stage looks at them */

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

/* An access on its way. */
typedef struct Reached {
	Access acc;
	u32 row;   /* 2 * site + touch, of the function's */
	u32 entry; /* in entries; 0: one entry stands for all */
	TouchState state;
} Reached;

typedef Vec(Reached) Batch;

typedef struct Lister {
	Conc *c;
	Entries *e;
	Batch batch[LIST_STAGES]; /* by turns */
	u32 round;                /* batch number k is reached in round k */
	bool exceeded;            /* the memory limit was so before the round */

	/* reach */
	const Frames *frames;
	u32 next;      /* the entry to begin with */
	u8 **states;   /* [InstId][row]: a TouchState; 0 not asked */
	u8 *state;     /* the present entry's */
	Batch *filled; /* the present batch */
	u32 entry;

	/* guard */
	Distinct *distinct;
	Inits *inits;      /* null: no class has an initialiser */
	Covers *covers;    /* null: there are none */
	Regions *regions;  /* null: there are none */
	Map part_of;       /* (thread, instance) -> index in parts plus 1 */
	Vec(Part *) parts; /* [row] */
	Part *part;        /* of the entry that was met last */
	u32 part_entry;

	/* keep */
	Map newest;    /* hash of an access -> index in accesses plus 1 */
	VecU32 older;  /* [index in accesses]: the one before of the same hash, plus 1 */
	u32 *by_ins;   /* [InsId + 1]: how many accesses are of the instruction */
	Set extents;   /* of accesses */
	VecU32 extent; /* the same as they came up */

	Arena *arena[LIST_STAGES]; /* of each stage */
} Lister;

enum { REACH, GUARD, KEEP };
static_assert(KEEP + 1 == LIST_STAGES, "each stage has its memory");

/* ---- reach -------------------------------------------------------------------- */

static bool
any_shared(const Conc *c, InstId inst, Val addr)
{
	SET_FOR (it, pta_pts(c->pta, inst, addr))
		if (threads_shared(c->threads, pta_slot(c->pta, it.x)->obj))
			return true;
	return false;
}

static TouchState
state_of(const Lister *l, const Access *acc)
{
	if (!any_shared(l->c, acc->inst, acc->addr))
		return TOUCH_PRIVATE;
	return frames_own(l->frames, acc->inst, acc->addr) ? TOUCH_OWN : TOUCH_SHARED;
}

/* Fills in when the access, of memory that may be shared, takes place. */
static void
reach_shared(const Conc *c, const Point *pt, Access *acc, u32 touch)
{
	acc->thread = pt->entry->thread;
	acc->order = pt->order;
	/* A handle may be stored when the new thread already runs. */
	if (ir_ins(c->ir, acc->ins)->op == OP_FORK)
		acc->order = order_step(c->order, acc->thread, acc->inst, acc->ins, acc->order);
	if (fresh_access(c->fresh, acc->inst, pt->entry->fresh, pt->ins, touch))
		acc->flags |= ACC_FRESH;
	if (fresh_frozen(c->fresh, acc->inst, pt->entry->fresh, pt->ins))
		acc->flags |= ACC_FROZEN;
}

static void
reach_touch(Lister *l, const Point *pt, const Touch *touch, u32 i)
{
	Conc *c = l->c;
	u32 row = 2 * pt->site + i, entry = l->entry;
	u8 *state = &l->state[row];
	bool first = !*state;
	Access acc;

	if (*state == TOUCH_PRIVATE)
		return;
	memset(&acc, 0, sizeof acc); /* padding too: it is hashed */
	acc.ins = pt->ins;
	acc.inst = pt->entry->inst;
	acc.way = entry;
	acc.addr = touch->addr;
	acc.flags = touch->flags;
	acc.size = touch->size;
	if (!acc.size && (acc.size = access_most(c->ir, pta_fn(c->pta, acc.inst), acc.ins)))
		acc.flags |= ACC_UPTO;
	if (first)
		*state = (u8)state_of(l, &acc);
	if (*state != TOUCH_PRIVATE) {
		reach_shared(c, pt, &acc, i);
	} else {
		acc.thread = 1;
		acc.order = order_start(c->order, 1);
		entry = 0;
	}
	vec_push(l->arena[REACH], l->filled, (Reached){acc, row, entry, *state});
}

static void
reach(void *ctx, const Point *pt)
{
	Lister *l = ctx;
	Touch touch[2];
	u32 n = access_touches(l->c->ir, pt->ins, touch);

	for (u32 i = 0; i < n; i++)
		reach_touch(l, pt, &touch[i], i);
}

static void
reach_batch(Lister *l, Batch *to)
{
	Entries *e = l->e;

	to->n = 0;
	l->filled = to;
	for (; l->next < e->at.n && to->n < BATCH && !l->exceeded; l->next++) {
		const Entry *en = &e->at.at[l->next];
		u8 **states = &l->states[en->inst];
		if (en->dead)
			continue;
		if (!*states)
			*states = arena_array(
			    l->arena[REACH], u8,
			    2 * entries_sites(e, pta_inst(l->c->pta, en->inst)->fn, SITE_TOUCH));
		l->state = *states;
		l->entry = l->next;
		entries_walk(e, en, SITE_TOUCH, reach, l);
	}
}

/* ---- guard -------------------------------------------------------------------- */

/* The parts of an entry's instance and thread. */
static void
take_parts(Lister *l, u32 entry)
{
	const Entry *en = &l->e->at.at[entry];
	Arena *a = l->arena[GUARD];
	u32 *part = map_at(a, &l->part_of, map_pair(en->thread, en->inst));

	if (!*part) {
		FnId fn = pta_inst(l->c->pta, en->inst)->fn;
		vec_push(a, &l->parts,
			 arena_array(a, Part, 2 * l->e->sites->of[SITE_TOUCH][fn].at.n));
		*part = l->parts.n;
	}
	l->part = l->parts.at[*part - 1];
	l->part_entry = entry;
}

static Part
find_part(const Lister *l, const Access *acc)
{
	return (Part){
	    distinct_extent(l->distinct, acc->thread, acc->inst, acc->ins, acc->addr, acc->size),
	    distinct_family(l->distinct, acc->thread, acc->inst, acc->ins, acc->addr, acc->size),
	    true};
}

/* The call out of the program's own code that acc, in a library, is within; null: not known. */
static const Edge *
use_of(const Lister *l, const Access *acc)
{
	u32 use = l->e->lost ? 0 : l->e->at.at[acc->way].use;

	return use ? &l->c->pta->edges.at[use - 1] : NULL;
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
		guards =
		    locks_guard(c->locks, acc->inst, acc->ins, acc->addr, acc->size, acc->held);
	if (l->inits)
		guards = locks_guard_inits(
		    c->locks, acc->inst, guards,
		    inits_at(l->inits, acc->inst, acc->ins, acc->addr, use_of(l, acc)));
	if (c->flags && timely)
		guards = flags_guard(c->flags, acc->thread, acc->inst, acc->ins, guards);
	if (c->phases && timely)
		guards = phases_guard(c->phases, acc->thread, acc->inst, acc->ins, guards);
	if (l->covers && timely)
		guards = covers_guard(l->covers, acc, guards);
	if (state == TOUCH_OWN)
		guards = locks_guard_frame(c->locks, acc->inst, guards,
					   set_first(pta_pts(c->pta, acc->inst, acc->addr)));
	if (regions_own(l->regions, acc->thread, acc->inst, acc->addr))
		guards = locks_guard_region(c->locks, acc->inst, guards,
					    set_first(pta_pts(c->pta, acc->inst, acc->addr)));
	return guards;
}

static void
guard_one(Lister *l, Reached *r)
{
	Access *acc = &r->acc;
	Part *part;

	if (!r->entry)
		return;
	if (r->entry != l->part_entry)
		take_parts(l, r->entry);
	part = &l->part[r->row];
	acc->held = entries_held(l->e, &(Point){.entry = &l->e->at.at[r->entry], .ins = acc->ins});
	if (!part->known)
		*part = find_part(l, acc);
	acc->extent = part->extent;
	acc->family = part->family;
	acc->guards = guards_of(l, acc, r->state);
}

/* ---- keep --------------------------------------------------------------------- */

/* Keeps acc unless one that differs in nothing that matters is there; of memory that may be
 * shared, also the call of the program that led to it matters. */
static void
keep(Lister *l, const Access *acc, bool shared)
{
	Conc *c = l->c;
	Access key = *acc;
	u32 *newest, use = shared ? l->e->at.at[acc->way].use : 0;

	key.held = 0;
	newest = map_at(l->arena[KEEP], &l->newest, hash_bytes(&key, offsetof(Access, way)));
	for (u32 i = *newest; i; i = l->older.at[i - 1]) {
		Access old = c->accesses.at[i - 1];
		old.held = 0;
		if ((!shared || l->e->at.at[old.way].use == use) &&
		    !memcmp(&old, &key, offsetof(Access, way)))
			return;
	}
	vec_push(l->arena[KEEP], &l->older, *newest);
	vec_push(c->arena, &c->accesses, *acc);
	*newest = c->accesses.n;
	l->by_ins[acc->ins + 1]++;
	if (acc->extent && l->extent.n < MAX_EXTENTS &&
	    set_add(l->arena[KEEP], &l->extents, acc->extent))
		vec_push(l->arena[KEEP], &l->extent, acc->extent);
}

/* ---- the stages --------------------------------------------------------------- */

/* Runs a stage on the batch that is its turn. */
static void
run_stage(void *ctx, u32 stage, u32 worker)
{
	Lister *l = ctx;
	Batch *b = &l->batch[(l->round + LIST_STAGES - stage) % LIST_STAGES];

	(void)worker;
	if (stage == REACH)
		reach_batch(l, b);
	for (u32 i = 0; stage == GUARD && i < b->n; i++)
		guard_one(l, &b->at[i]);
	for (u32 i = 0; stage == KEEP && i < b->n; i++)
		keep(l, &b->at[i].acc, b->at[i].entry != 0);
}

/* Until the last batch has gone through all stages. */
static void
run_stages(Lister *l, Pool *pool, bool apart)
{
	for (u32 last = 0; last < LIST_STAGES; l->round++) {
		l->exceeded = arena_exceeded(l->c->arena);
		if (apart)
			pool_run(pool, LIST_STAGES, run_stage, l);
		for (u32 stage = LIST_STAGES; !apart && stage-- > 0;)
			run_stage(l, stage, 0);
		if (l->next == l->e->at.n || l->exceeded)
			last++;
	}
}

/* ---- the whole ---------------------------------------------------------------- */

/* Accesses whose extents share no byte exclude each other, as by a guard. */
static void
keep_extents_apart(const Lister *l)
{
	Conc *c = l->c;

	for (u32 i = 0; l->extent.n && i < c->accesses.n; i++) {
		Access *a = &c->accesses.at[i];
		const Extent *x = distinct_extent_get(l->distinct, a->extent), *y;
		for (u32 k = 0; a->extent && k < l->extent.n; k++) {
			y = distinct_extent_get(l->distinct, l->extent.at[k]);
			if (extents_apart(x, y))
				a->guards =
				    locks_guard_extent(c->locks, a->inst, a->guards,
						       set_first(pta_pts(c->pta, a->inst, a->addr)),
						       a->extent, l->extent.at[k]);
		}
	}
}

static int
compare(const void *x, const void *y)
{
	const Access *a = x, *b = y;
	const u32 ka[] = {a->ins,    a->flags, a->inst,   a->thread, a->order,
			  a->guards, a->addr,  a->family, a->way};
	const u32 kb[] = {b->ins,    b->flags, b->inst,   b->thread, b->order,
			  b->guards, b->addr,  b->family, b->way};

	for (u32 i = 0; i < COUNT(ka); i++)
		if (ka[i] != kb[i])
			return ka[i] < kb[i] ? -1 : 1;
	return 0;
}

typedef struct Sorter {
	Access *at;
	const u32 *first;           /* [InsId]: of its accesses; the next one's end them */
	InsId part[SORT_PARTS + 1]; /* begins with that instruction */
} Sorter;

static void
sort_part(void *ctx, u32 part, u32 worker)
{
	const Sorter *s = ctx;

	(void)worker;
	for (InsId k = s->part[part]; k < s->part[part + 1]; k++)
		if (s->first[k + 1] - s->first[k] > 1)
			qsort(s->at + s->first[k], s->first[k + 1] - s->first[k], sizeof *s->at,
			      compare);
}

/* By instruction first, each to its place: an instruction has few. */
static void
sort_accesses(Lister *l, Arena *scratch, Pool *pool)
{
	Access *at = l->c->accesses.at;
	u32 n = l->c->accesses.n, nins = l->c->ir->ins.n;
	u32 *first = l->by_ins, *next = arena_array(scratch, u32, nins);
	Sorter s = {.at = at, .first = first};

	for (InsId k = 0; k < nins; k++)
		first[k + 1] += first[k];
	memcpy(next, first, nins * sizeof *next);
	for (InsId k = 0; k < nins; k++)
		while (next[k] < first[k + 1]) {
			Access x = at[next[k]];
			u32 to = next[x.ins]++;
			if (x.ins != k)
				at[next[k]] = at[to];
			at[to] = x;
		}
	for (u32 part = 1; part < SORT_PARTS; part++) {
		u32 i = (u32)((u64)n * part / SORT_PARTS);
		s.part[part] = i < n ? at[i].ins : nins;
	}
	s.part[SORT_PARTS] = nins;
	pool_run(pool, SORT_PARTS, sort_part, &s);
}

void
list_accesses(Conc *c, Entries *e, const Frames *frames, Distinct *d, Pool *pool)
{
	Arena scratch;
	Lister l = {.c = c, .e = e, .frames = frames, .distinct = d, .next = 1};

	arena_init(&scratch, c->arena->budget);
	for (u32 i = 0; i < LIST_STAGES; i++)
		l.arena[i] = arena_inner(&scratch);
	l.states = arena_array(&scratch, u8 *, c->pta->insts.n);
	l.by_ins = arena_array(&scratch, u32, c->ir->ins.n + 1);
	if (!l.distinct)
		l.distinct = distinct_solve(l.arena[GUARD], c->threads, c->order, c->fresh,
					    distinct_few(entries_states(e)) ? e : NULL);
	if (distinct_few(entries_states(e)))
		l.regions = regions_solve(l.distinct);
	l.inits = inits_solve(l.arena[GUARD], c->threads);
	c->flags = flags_solve(c->arena, e);
	distinct_use_flags(l.distinct, c->flags);
	c->phases = phases_solve(c->arena, e, l.distinct);
	l.covers = covers_solve(l.arena[GUARD], e);
	run_stages(&l, pool,
		   !c->flags && !c->phases && !l.covers && !distinct_asks_order(l.distinct));
	keep_extents_apart(&l);
	sort_accesses(&l, &scratch, pool);
	arena_release(&scratch);
}

/* entry.c - see entry.h.
 *
 * A worklist of entries; each is walked once and adds the entries of its
 * callees, those of less likely calls when there is nothing else left.  Per (instance, thread) at most `max` are kept apart, and fewer once
 * there are very many in all; a further one
 * widens a common entry, which climbs a finite lattice, so this ends.  Entries that
 * differ in their use alone are of states that others are of as well, and bounded. */
#include "conc/entry.h"

#include "conc/access.h"
#include "conc/entry_call.h"
#include "conc/flow.h"
#include "conc/guess.h"

/* In all, before fewer are kept apart; each leads to as many below it. */
enum { MANY = 16384, EACH = 2, FEW = 2 };
/* Uses with which one state is entered again: of one instance and thread, and in all. */
enum { WAYS = 32, ALL_WAYS = 8192 };

typedef struct Key {
	InstId inst;
	ThreadId thread;
	OrderId order;
	LocksetId held;
	FreshMask fresh;
	u32 use; /* 0 in states */
} Key;

static u32
push(Entries *e, Entry new)
{
	vec_push(e->arena, &e->at, new);
	return e->at.n - 1;
}

/* The group within which entries are counted and merged.  Where the instance
 * itself moves the order, its states come from the order's own frames. */
static EntryGroup *
group_of(Entries *e, const Entry *new)
{
	u32 order = order_moves(e->order, new->inst) ? new->order : 0;
	struct {
		u32 a, b, c;
	} key = {new->inst, new->thread, order};
	u32 *g = map_at(e->arena, &e->group_of, hash_bytes(&key, sizeof key));

	if (!*g) {
		*g = e->groups.n;
		vec_push(e->arena, &e->groups, (EntryGroup){0});
	}
	return &e->groups.at[*g];
}

/* Lets the group's common entry cover new as well. */
static void
widen(Entries *e, EntryGroup *g, const Entry *new)
{
	Entry wide = *new;

	e->lost = true;
	wide.use = 0;
	if (g->wide) {
		const Entry *old = &e->at.at[g->wide];
		if (wide.order != old->order)
			wide.order = order_join(e->order, wide.order, old->order);
		if (wide.held != old->held)
			wide.held = locks_meet(e->locks, wide.held, old->held);
		wide.fresh &= old->fresh;
		wide.from = old->from; /* by calls that are at least as likely */
		wide.edge = old->edge;
		if (wide.order == old->order && wide.held == old->held && wide.fresh == old->fresh)
			return;
		e->at.at[g->wide].dead = true;
	} else {
		e->merged++;
	}
	g->wide = push(e, wide);
}

static bool
is_library(const Entries *e, InstId inst)
{
	return pta_fn(e->t->pta, inst)->flags & (FN_LIBRARY | FN_SYNTHETIC);
}

static bool
is_news(Intern *known, const Key *key)
{
	u32 before = intern_count(known);

	intern_bytes(known, key, sizeof *key);
	return intern_count(known) > before;
}

/* A state that is known, by another call of the program. */
static void
add_way(Entries *e, EntryGroup *g, Entry new)
{
	if (!e->locks || g->ways == WAYS || e->ways == ALL_WAYS) {
		e->lost = true;
		return;
	}
	g->ways++;
	e->ways++;
	push(e, new);
}

static void
add(Entries *e, Entry new)
{
	Key key = {new.inst, new.thread, new.order, new.held, new.fresh, 0};
	bool state, use;
	EntryGroup *g;

	if (!new.order || !pta_fn(e->t->pta, new.inst)->nblock)
		return;
	state = is_news(&e->known, &key);
	key.use = new.use;
	use = is_library(e, new.inst) && is_news(&e->uses, &key);
	if (!state && !use)
		return;
	g = group_of(e, &new);
	if (!state) {
		add_way(e, g, new);
		return;
	}
	if (g->n <
	    (entries_states(e) < MANY + EACH * e->t->pta->insts.n ? e->max : MIN(e->max, FEW))) {
		g->n++;
		push(e, new);
	} else {
		widen(e, g, &new);
	}
}

LocksetId
entries_held(Entries *e, const Point *p)
{
	if (!e->locks)
		return 0;
	return locks_held(e->locks, p->entry->inst, p->entry->held,
			  locks_before(e->locks, p->entry->inst, p->ins));
}

/* ---- walks ---------------------------------------------------------------- */

static bool
is_site(const Ir *ir, InsId ins, SiteKind kind)
{
	u8 op = ir_ins(ir, ins)->op;
	Touch touch[2];

	if (kind == SITE_CALL)
		return op == OP_CALL || op == OP_EXTERN || op == OP_CINIT;
	if (kind == SITE_SYNC)
		return op == OP_FORK || op == OP_RELEASE;
	return access_touches(ir, ins, touch) > 0;
}

EntrySites *
entry_sites_new(Arena *a, const Pta *p)
{
	EntrySites *s = arena_new(a, EntrySites);

	s->arena = a;
	for (SiteKind k = 0; k < SITE_KINDS; k++)
		s->of[k] = arena_array(a, Sites, p->ir->fns.n);
	return s;
}

/* Functions are walked once for each entry: what is of interest there is listed. */
static const Sites *
sites_of(Entries *e, FnId id, SiteKind kind)
{
	const Ir *ir = e->t->pta->ir;
	const Flow *flow = flow_of(e->t->flows, id);
	Sites *s = &e->sites->of[kind][id];
	Arena *a = e->sites->arena;

	for (u32 k = 0; k < flow->nrpo && !s->known; k++) {
		const Block *block = fn_block(ir, &ir->fns.at[id], flow->rpo[k]);
		u32 first = s->at.n;
		for (InsId i = block->ins; i < block->ins + block->nins; i++)
			if (is_site(ir, i, kind))
				vec_push(a, &s->at, i);
		if (s->at.n > first)
			vec_push(a, &s->runs, (SiteRun){flow->rpo[k], first, s->at.n});
	}
	s->known = true;
	return s;
}

u32
entries_sites(Entries *e, FnId fn, SiteKind kind)
{
	return sites_of(e, fn, kind)->at.n;
}

/* Visits the sites of a block, from the state at its start. */
static void
walk_block(Entries *e, Point *pt, const SiteRun *run, bool moves, const Sites *sites,
	   void (*visit)(void *, const Point *), void *ctx)
{
	InstId inst = pt->entry->inst;
	u32 n = 0;
	const u32 *step = moves ? order_steps(e->order, inst, run->block, &n) : NULL;

	for (u32 k = run->first; k < run->end; k++) {
		for (; n && *step < sites->at.at[k]; n--, step++)
			if (*step)
				pt->order =
				    order_step(e->order, pt->entry->thread, inst, *step, pt->order);
		if (!pt->order)
			return;
		pt->ins = sites->at.at[k];
		pt->site = k;
		visit(ctx, pt);
	}
}

void
entries_walk(Entries *e, const Entry *entry, SiteKind kind, void (*visit)(void *, const Point *),
	     void *ctx)
{
	const Pta *p = e->t->pta;
	Entry en = *entry; /* visit may add entries and move the table */
	const Sites *sites = sites_of(e, pta_inst(p, en.inst)->fn, kind);
	bool moves = order_moves(e->order, en.inst);
	const OrderId *in = moves ? order_blocks(e->order, en.thread, en.inst, en.order) : NULL;

	for (u32 i = 0; i < sites->runs.n && (in || !moves); i++) {
		const SiteRun *run = &sites->runs.at[i];
		Point pt = {.entry = &en, .order = moves ? in[run->block] : en.order};
		if (pt.order && threads_runs(e->t, en.thread, en.inst, run->block))
			walk_block(e, &pt, run, moves, sites, visit, ctx);
	}
}

static Standing
standing_of(const Entries *e, ThreadId t, u32 edge, bool forgets)
{
	if (e->ending && e->ending[edge])
		return STANDING_ENDING;
	if (guess_doubts(e->guess, e->t, t, edge))
		return STANDING_GUESSED;
	return forgets ? STANDING_LOCKED : STANDING_MEANT;
}

/* By which call of the program a call of en comes into a library. */
static u32
use_of(const Entries *e, const Entry *en, u32 edge)
{
	const Pta *p = e->t->pta;
	InstId to = p->edges.at[edge].to;

	if (!is_library(e, to))
		return 0;
	if (is_library(e, en->inst))
		return en->use;
	return pta_fn(p, to)->flags & FN_LIBRARY ? edge + 1 : 0;
}

/* Adds the entries that the calls of en lead to. */
static void
enter_callees(Entries *e, const Entry *en)
{
	const Pta *p = e->t->pta;
	u32 n;
	const EntryCall *call = entry_calls(e, en, &n);

	for (u32 i = 0; i < n; i++) {
		bool forgets = false;
		Entry new = {.inst = p->edges.at[call[i].edge].to,
			     .thread = en->thread,
			     .order = call[i].order,
			     .held = e->locks ? entry_call_held(e, en, call[i].edge, &forgets) : 0,
			     .fresh = call[i].fresh,
			     .from = e->walked,
			     .edge = call[i].edge + 1,
			     .use = use_of(e, en, call[i].edge)};
		Standing kind = standing_of(e, en->thread, call[i].edge, forgets);
		if (kind > e->least)
			vec_push(e->arena, &e->later[kind], new);
		else
			add(e, new);
	}
}

/* Walks the entries that were not walked yet, and those that this adds. */
static void
enter_all(Entries *e)
{
	for (; e->walked < e->at.n; e->walked++) {
		Entry en = e->at.at[e->walked];
		if (arena_exceeded(e->arena)) {
			e->complete = false;
			return;
		}
		if (!en.dead)
			enter_callees(e, &en);
	}
}

void
entries_solve(Entries *e, Arena *a, const EntryInput *in)
{
	const Threads *t = in->t;

	*e = (Entries){.arena = a,
		       .t = t,
		       .order = in->order,
		       .fresh = in->fresh,
		       .locks = in->locks,
		       .ending = in->ending,
		       .guess = in->guess,
		       .max = in->max,
		       .sites = in->sites,
		       .calls = in->calls,
		       .walked = 1,
		       .complete = true};
	intern_init(&e->known, a);
	intern_init(&e->uses, a);
	vec_push(a, &e->at, (Entry){.dead = true});
	vec_push(a, &e->groups, (EntryGroup){0});
	for (ThreadId x = 1; x < t->at.n; x++)
		add(e, (Entry){.inst = thread_get(t, x)->start,
			       .thread = thread_get(t, x)->crew,
			       .order = order_start(in->order, thread_get(t, x)->crew)});
	for (e->least = 0; e->least < STANDINGS && e->complete; e->least++) {
		for (u32 i = 0; i < e->later[e->least].n; i++)
			add(e, e->later[e->least].at[i]);
		enter_all(e);
	}
}

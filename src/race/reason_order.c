/* reason_order.c - threads that the program's own logic keeps apart (RELAY's
 * non-parallel threads).
 *
 * Five patterns.  A thread whose fork is guarded by a test of a flag that it,
 * or its creator, sets: then two instances of it hardly overlap.  An access
 * that a signal certainly follows, against one that an await of the same event
 * certainly precedes.  The same with a flag: a constant is stored to it behind
 * the one access, and a loop that only this flag lets end lies before the
 * other.  A count instead of a flag: it is counted on behind the one access,
 * and the other lies on one side of a test of what counting down found.  A creator that always waits, behind the fork, for what the thread
 * signals behind its access, before it goes on.  And a handshake by atomics:
 * each side, behind its access, releases a cell that the other acquires and
 * tests before its own, and these are two cells, or elements of an array: so do Peterson's and Dekker's
 * algorithms, and a ring with one writer and one reader.  "Certainly" is dominance in
 * the functions on the call path, and in those that they certainly call. */
#include "race/reason_int.h"

#include "conc/flag.h"
#include "conc/phase.h"

enum { SLICE = 8, VALUES = 64, MAX_LOADS = 4, CALLS = 3, MAX_PLACES = 8 };

typedef struct FnEvents {       /* of one function */
	VecU32 signals, awaits; /* instructions */
	VecU32 sets;            /* stores of a constant */
	VecU32 spins;           /* loads that a loop's end depends on */
	VecU32 ends;            /* the branch at that end, for each of them */
	VecU32 counts, tests;   /* counts whose result a branch depends on, and that branch */
	VecU32 gives;           /* releasing writes */
	VecU32 looks, sides;    /* acquiring reads that a branch depends on, and that branch */
	VecU32 calls, returns;
} FnEvents;

typedef struct Point {
	InstId inst;
	InsId ins;
} Point;

typedef Vec(Point) Points;

typedef struct Events {       /* of one access */
	Points signals, sets; /* behind it */
	Points awaits, spins; /* before it */
	Points lasts;         /* before it: counts, on one side of a test of which it lies */
	Points gives, looks;  /* behind it; before it, on one side of the test */
} Events;

/* Values that a value is computed from, the nearest first, each once.  Whatever
 * is computed from more than fit is no flag. */
typedef struct Slice {
	Val at[VALUES];
	u8 depth[VALUES];
	u32 n;
} Slice;

static void
slice_add(Slice *s, Val v, u32 depth)
{
	for (u32 k = 0; k < s->n; k++)
		if (s->at[k] == v)
			return;
	if (s->n == VALUES || depth >= SLICE || !val_is_reg(v))
		return;
	s->at[s->n] = v;
	s->depth[s->n++] = (u8)depth;
}

/* The loads that v is computed from; returns their number. */
static u32
slice(const Ir *ir, const Fn *f, Val v, InsId out[MAX_LOADS])
{
	Slice s = {.n = 0};
	u32 n = 0;

	slice_add(&s, v, 0);
	for (u32 i = 0; i < s.n; i++) {
		InsId id;
		const Ins *ins = def_of(ir, f, s.at[i], &id);
		Op op = ins ? ins->op : OP_RET;

		if ((op == OP_LOAD || op == OP_RMW || op == OP_CAS) && n < MAX_LOADS)
			out[n++] = id;
		if (op != OP_PHI && op != OP_CMP && op != OP_BIN && op != OP_CAST &&
		    op != OP_COPY && op != OP_SELECT)
			continue;
		for (u32 k = op == OP_PHI; k < ins->narg; k += 1 + (op == OP_PHI))
			slice_add(&s, ins_arg(ir, ins, k), s.depth[i] + 1u);
	}
	return n;
}

/* Does the branch at the end of a block leave a cycle that the block is in? */
static bool
ends_loop(const Races *r, FnId fn, BlockId b)
{
	const Block *bl = fn_block(r->ir, &r->ir->fns.at[fn], b);

	if (!walk_cyclic(r->walk, fn, b))
		return false;
	for (u32 k = 0; k < bl->nsucc; k++)
		if (!walk_block_reaches(r->walk, fn, r->ir->succs.at[bl->succ + k], b))
			return true;
	return false;
}

static void
add_spin(const Races *r, FnEvents *e, InsId load, InsId end)
{
	vec_push(r->arena, &e->spins, load);
	vec_push(r->arena, &e->ends, end);
}

static void
find_spins(const Races *r, FnId fn, FnEvents *e)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		const Ins *t = ir_ins(r->ir, bl->ins + bl->nins - 1);
		InsId loads[MAX_LOADS];
		u32 n = 0;

		if (t->op != OP_CBR || !walk_cyclic(r->walk, fn, b))
			continue;
		n = slice(r->ir, f, ins_arg(r->ir, t, 0), loads);
		if (!n || !ends_loop(r, fn, b))
			continue;
		for (u32 k = 0; k < n; k++)
			if (walk_cyclic(r->walk, fn, walk_block(r->walk, fn, loads[k])))
				add_spin(r, e, loads[k], bl->ins + bl->nins - 1);
	}
}

/* The load that the store counts on from, in the same place; 0 none. */
static InsId
counted_load(const Ir *ir, const Fn *f, const Ins *store)
{
	InsId id, load;
	const Ins *add = def_of(ir, f, ins_arg(ir, store, 1), &id), *l;

	if (!add || add->op != OP_BIN || (add->sub != BIN_ADD && add->sub != BIN_SUB) ||
	    !val_is_const(ins_arg(ir, add, 1)))
		return 0;
	l = def_of(ir, f, ins_arg(ir, add, 0), &load);
	return l && l->op == OP_LOAD ? load : 0;
}

/* Does the store set a flag, or count on? */
static bool
sets_or_counts(const Ir *ir, const Fn *f, const Ins *store)
{
	return val_is_const(ins_arg(ir, store, 1)) || counted_load(ir, f, store);
}

static bool
counts_on(const Races *r, FnId fn, InsId id)
{
	const Ins *i = ir_ins(r->ir, id);

	return i->op == OP_RMW || (i->op == OP_STORE && counted_load(r->ir, &r->ir->fns.at[fn], i));
}

/* Is it a subtraction of something above 0, or an addition of less? */
static bool
goes_down(const Ir *ir, const Ins *by)
{
	Val v = ins_arg(ir, by, 1);
	i64 n = val_is_const(v) && ir_const(ir, v)->kind == CONST_INT ? ir_const(ir, v)->num : 0;

	return by->sub == BIN_SUB ? n > 0 : by->sub == BIN_ADD && n < 0;
}

/* The loads that a store counts down from, and what counts down itself. */
static Set
counting_down(const Races *r, const Fn *f, const FnEvents *e)
{
	Set down = {0};

	for (u32 i = 0; i < e->sets.n; i++) {
		const Ins *set = ir_ins(r->ir, e->sets.at[i]);
		InsId by, load = set->op == OP_STORE ? counted_load(r->ir, f, set) : 0;

		if (set->op == OP_RMW && goes_down(r->ir, set))
			set_add(r->arena, &down, e->sets.at[i]);
		if (load && goes_down(r->ir, def_of(r->ir, f, ins_arg(r->ir, set, 1), &by)))
			set_add(r->arena, &down, load);
	}
	return down;
}

/* Branches on what counting down found: the last one does what the others do not. */
static void
find_counts(const Races *r, FnId fn, FnEvents *e)
{
	const Fn *f = &r->ir->fns.at[fn];
	Set down = counting_down(r, f, e);

	for (BlockId b = 1; b <= f->nblock && !set_empty(&down); b++) {
		const Block *bl = fn_block(r->ir, f, b);
		InsId end = bl->ins + bl->nins - 1, loads[MAX_LOADS];
		u32 n = 0;

		if (ir_ins(r->ir, end)->op != OP_CBR || ends_loop(r, fn, b))
			continue;
		n = slice(r->ir, f, ins_arg(r->ir, ir_ins(r->ir, end), 0), loads);
		for (u32 k = 0; k < n; k++)
			if (set_has(&down, loads[k])) {
				vec_push(r->arena, &e->counts, loads[k]);
				vec_push(r->arena, &e->tests, end);
			}
	}
	set_recycle(r->arena, &down);
}

static bool
is_atomic_write(const Ins *i)
{
	return (i->op == OP_STORE || i->op == OP_RMW || i->op == OP_CAS) &&
	       order_releases(i->order);
}

/* Acquiring reads, and the branches that depend on them. */
static void
find_looks(const Races *r, FnId fn, FnEvents *e)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		InsId end = bl->ins + bl->nins - 1, loads[MAX_LOADS];
		u32 n = 0;

		if (ir_ins(r->ir, end)->op == OP_CBR)
			n = slice(r->ir, f, ins_arg(r->ir, ir_ins(r->ir, end), 0), loads);
		for (u32 k = 0; k < n; k++)
			if (order_acquires(ir_ins(r->ir, loads[k])->order)) {
				vec_push(r->arena, &e->looks, loads[k]);
				vec_push(r->arena, &e->sides, end);
			}
	}
}

/* Does the instruction lie on one side of the branch only? */
static bool
on_one_side(const Races *r, FnId fn, InsId branch, InsId ins)
{
	const Block *bl = fn_block(r->ir, &r->ir->fns.at[fn], walk_block(r->walk, fn, branch));
	u32 sides = 0;

	for (u32 k = 0; k < bl->nsucc; k++)
		sides += walk_block_dominates(r->walk, fn, r->ir->succs.at[bl->succ + k],
					      walk_block(r->walk, fn, ins));
	return sides == 1;
}

static const FnEvents *
events_in(Reasons *rs, FnId fn)
{
	const Races *r = rs->r;
	const Fn *f = &r->ir->fns.at[fn];
	FnEvents *e = rs->events[fn];

	if (e)
		return e;
	e = rs->events[fn] = arena_new(r->arena, FnEvents);
	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);

		if (is_atomic_write(i))
			vec_push(r->arena, &e->gives, id);
		if (i->op == OP_SIGNAL)
			vec_push(r->arena, &e->signals, id);
		else if (i->op == OP_AWAIT && !(i->sub == EVENT_SEM && i->flags & INS_TRY))
			vec_push(r->arena, &e->awaits, id);
		else if (i->op == OP_RMW || (i->op == OP_STORE && sets_or_counts(r->ir, f, i)))
			vec_push(r->arena, &e->sets, id);
		else if (i->op == OP_CALL)
			vec_push(r->arena, &e->calls, id);
		else if (i->op == OP_RET)
			vec_push(r->arena, &e->returns, id);
	}
	find_spins(r, fn, e);
	find_counts(r, fn, e);
	find_looks(r, fn, e);
	return e;
}

/* Does every path through the function pass the instruction? */
static bool
always(const Races *r, FnId fn, const FnEvents *in, InsId id)
{
	for (u32 k = 0; k < in->returns.n; k++)
		if (!walk_dominates(r->walk, fn, id, in->returns.at[k]))
			return false;
	return true;
}

static bool
behind(const Races *r, FnId fn, const FnEvents *in, InsId ins, InsId id)
{
	return ins ? walk_dominates(r->walk, fn, ins, id) : always(r, fn, in, id);
}

static bool
ahead(const Races *r, FnId fn, const FnEvents *in, InsId ins, InsId id)
{
	return ins ? walk_dominates(r->walk, fn, id, ins) : always(r, fn, in, id);
}

#define KEEP(list, from, cond)                                                                     \
	for (u32 k = 0; k < (from).n; k++) {                                                       \
		InsId id = (from).at[k];                                                           \
		if (cond)                                                                          \
			vec_push(r->arena, &(list), (Point){at.inst, id});                         \
	}

/* Does the instruction speak of one place, or a few?  What may be one of many
 * is no evidence of one flag, nor is an atomic access that orders nothing. */
static bool
names_place(const Races *r, InstId inst, InsId ins)
{
	const Set *s = pta_pts(r->pta, inst, ins_arg(r->ir, ir_ins(r->ir, ins), 0));

	if (ir_ins(r->ir, ins)->order == ORDER_RELAXED)
		return false;
	return s->n <= MAX_PLACES && set_count(s) <= MAX_PLACES;
}

/* Adds what certainly happens before and behind the frame's instruction, or
 * in all of its function if that is 0. */
static void
gather(Reasons *rs, Events *e, Frame at, bool before, bool after, u32 depth)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, at.inst);
	const FnEvents *in = events_in(rs, fn);

	KEEP(e->signals, in->signals,
	     after && names_place(r, at.inst, id) && behind(r, fn, in, at.ins, id))
	KEEP(e->sets, in->sets,
	     after && names_place(r, at.inst, id) &&
		 (behind(r, fn, in, at.ins, id) || (id == at.ins && counts_on(r, fn, id))))
	KEEP(e->awaits, in->awaits,
	     before && names_place(r, at.inst, id) && ahead(r, fn, in, at.ins, id))
	KEEP(e->spins, in->spins,
	     before && names_place(r, at.inst, id) && ahead(r, fn, in, at.ins, in->ends.at[k]) &&
		 (!at.ins || !walk_reaches(r->walk, fn, at.ins, in->ends.at[k])))
	KEEP(e->spins, in->counts,
	     before && at.ins && names_place(r, at.inst, id) &&
		 on_one_side(r, fn, in->tests.at[k], at.ins))
	KEEP(e->lasts, in->counts,
	     before && at.ins && names_place(r, at.inst, id) &&
		 on_one_side(r, fn, in->tests.at[k], at.ins))
	KEEP(e->gives, in->gives,
	     after && names_place(r, at.inst, id) && behind(r, fn, in, at.ins, id))
	KEEP(e->looks, in->looks,
	     before && names_place(r, at.inst, id) &&
		 (at.ins ? on_one_side(r, fn, in->sides.at[k], at.ins)
			 : ahead(r, fn, in, 0, in->sides.at[k])))
	for (u32 k = 0; depth && k < in->calls.n; k++) {
		InsId call = in->calls.at[k];
		bool x = before && ahead(r, fn, in, at.ins, call);
		bool y = after && behind(r, fn, in, at.ins, call);
		u32 n;
		const Edge *to = pta_targets(r->pta, at.inst, call, &n);
		if ((x || y) && n == 1)
			gather(rs, e, (Frame){to->to, 0}, x, y, depth - 1);
	}
}

/* The same for a frame that many accesses have on their way, looked for once:
 * what is waited for before it, or what is signalled and set behind it. */
static const Events *
events_at(Reasons *rs, u32 frame, bool before)
{
	FrameFacts *f = &rs->frames.at[frame];
	const Events **at = before ? &f->before : &f->behind;

	if (!*at) {
		Events *found = arena_new(rs->r->arena, Events);
		gather(rs, found, f->at, before, !before, CALLS);
		*at = found;
	}
	return *at;
}

/* Is something waited for before the access?  Most often not. */
static bool
waits(Reasons *rs, u32 access)
{
	Facts *f = facts_of(rs, access);

	for (u32 i = 0; !f->waits && i < f->nframe; i++) {
		const Events *e = events_at(rs, f->frame[i], true);
		if (e->awaits.n + e->spins.n)
			f->waits = 2;
	}
	if (!f->waits)
		f->waits = 1;
	return f->waits == 2;
}

/* May the addresses of two instructions be of one cell? */
static bool
same_cell(const Races *r, Point x, Point y)
{
	const Set *s = pta_pts(r->pta, x.inst, ins_arg(r->ir, ir_ins(r->ir, x.ins), 0));
	const Set *t = pta_pts(r->pta, y.inst, ins_arg(r->ir, ir_ins(r->ir, y.ins), 0));

	if (set_meets(s, t))
		return true;
	SET_FOR (i, s)
		SET_FOR (k, t)
			if (pta_slot(r->pta, i.x)->obj == pta_slot(r->pta, k.x)->obj &&
			    pta_overlap(r->pta, i.x, 1, k.x, 1))
				return true;
	return false;
}

/* Is the point about a flag or barrier that was understood?  Then it would keep
 * the accesses apart if it could. */
static bool
understood(const Races *r, Point x)
{
	const Set *s = pta_pts(r->pta, x.inst, ins_arg(r->ir, ir_ins(r->ir, x.ins), 0));

	return set_count(s) == 1 && (phases_judge(r->conc->phases, set_first(s)) ||
				     flags_judge(r->conc->flags, set_first(s)));
}

/* Does one of the second points work on a cell of one of the first? */
static bool
meet(const Races *r, const Points *x, const Points *y, bool strict)
{
	for (u32 i = 0; i < x->n; i++)
		for (u32 k = 0; k < y->n; k++)
			if (same_cell(r, x->at[i], y->at[k]) &&
			    !(strict && understood(r, x->at[i])))
				return true;
	return false;
}

/* Is one of these events waited for that come behind access a? */
static bool
told(Reasons *rs, u32 a, const Events *waited)
{
	const Facts *f = facts_of(rs, a);

	for (u32 i = 0; waited->awaits.n + waited->spins.n && i < f->nframe; i++) {
		const Events *e = events_at(rs, f->frame[i], false);
		if (meet(rs->r, &e->signals, &waited->awaits, false) ||
		    meet(rs->r, &e->sets, &waited->spins, false))
			return true;
	}
	return false;
}

/* Is one of what comes behind frame x waited for before frame y?  Those far up
 * are on the way to most accesses: what they say is kept. */
static bool
frame_before(Reasons *rs, u32 x, u32 y)
{
	const Races *r = rs->r;
	const Events *e = events_at(rs, x, false), *w = events_at(rs, y, true);
	u32 *known;

	if (!(e->signals.n && w->awaits.n) && !(e->sets.n && w->spins.n))
		return false;
	known = map_at(r->arena, &rs->frame_before, map_pair(x, y) + 1);
	if (!*known)
		*known = 1 + (meet(r, &e->signals, &w->awaits, true) ||
			      meet(r, &e->sets, &w->spins, true));
	return *known == 2;
}

static bool
before(Reasons *rs, u32 a, u32 b)
{
	const Facts *f = facts_of(rs, a), *g = facts_of(rs, b);

	if (!waits(rs, b))
		return false;
	for (u32 i = 0; i < g->nframe; i++)
		for (u32 k = 0; k < f->nframe; k++)
			if (frame_before(rs, f->frame[k], g->frame[i]))
				return true;
	return false;
}

/* Are both done by whoever found, by counting, to be the last? */
static bool
both_last(Reasons *rs, u32 a, u32 b)
{
	const Facts *f = facts_of(rs, a), *g = facts_of(rs, b);

	for (u32 i = 0; i < f->nframe; i++)
		for (u32 k = 0; k < g->nframe; k++)
			if (meet(rs->r, &events_at(rs, f->frame[i], true)->lasts,
				 &events_at(rs, g->frame[k], true)->lasts, true))
				return true;
	return false;
}

/* Adds the reads before b that find what is given behind a. */
static void
find_given(Reasons *rs, u32 a, u32 b, Points *out)
{
	const Facts *f = facts_of(rs, a), *g = facts_of(rs, b);

	for (u32 k = 0; k < g->nframe; k++) {
		const Points *looks = &events_at(rs, g->frame[k], true)->looks;
		for (u32 i = 0; looks->n && i < f->nframe; i++) {
			const Points *gives = &events_at(rs, f->frame[i], false)->gives;
			for (u32 x = 0; x < looks->n; x++)
				for (u32 y = 0; y < gives->n; y++)
					if (same_cell(rs->r, looks->at[x], gives->at[y]))
						vec_push(rs->r->arena, out, looks->at[x]);
		}
	}
}

/* Is it one cell for sure? */
static bool
one_cell(const Races *r, Point x)
{
	const Set *s = pta_pts(r->pta, x.inst, ins_arg(r->ir, ir_ins(r->ir, x.ins), 0));

	return set_count(s) == 1 && pta_slot_exact(r->pta, set_first(s));
}

/* Does each side give the other something of its own to look at? */
static bool
handshake(Reasons *rs, u32 a, u32 b)
{
	Points x = {0}, y = {0};

	find_given(rs, a, b, &x);
	if (x.n)
		find_given(rs, b, a, &y);
	for (u32 i = 0; i < x.n; i++)
		for (u32 k = 0; k < y.n; k++)
			if (!same_cell(rs->r, x.at[i], y.at[k]) || !one_cell(rs->r, x.at[i]))
				return true;
	return false;
}

/* What control passes the instruction only after; found once for each. */
static const Events *
waited_at(Reasons *rs, Point at)
{
	const Races *r = rs->r;
	u32 *known = map_at(r->arena, &rs->waited_at, map_pair(at.inst, at.ins));
	const FnEvents *in = events_in(rs, inst_fn(r, at.inst));
	Op op = ir_ins(r->ir, at.ins)->op;
	Events *own;
	u32 n;
	const Edge *to;

	if (*known)
		return rs->waited.at[*known - 1];
	own = arena_new(r->arena, Events);
	vec_push(r->arena, &rs->waited, own);
	*known = rs->waited.n;
	if (op == OP_AWAIT)
		vec_push(r->arena, &own->awaits, at);
	for (u32 k = 0; op == OP_CBR && k < in->ends.n; k++)
		if (in->ends.at[k] == at.ins)
			vec_push(r->arena, &own->spins, (Point){at.inst, in->spins.at[k]});
	if (op == OP_CALL) {
		to = pta_targets(r->pta, at.inst, at.ins, &n);
		if (n == 1)
			gather(rs, own, (Frame){to->to, 0}, true, false, CALLS);
	}
	return own;
}

static bool
tells(Reasons *rs, u32 a)
{
	const Facts *f = facts_of(rs, a);

	for (u32 i = 0; i < f->nframe; i++) {
		const Events *e = events_at(rs, f->frame[i], false);
		if (e->signals.n + e->sets.n)
			return true;
	}
	return false;
}

/* Does every path from behind th's fork pass an await of what its access a tells
 * of, before it comes to stop or leaves the function? */
static bool
all_await(Reasons *rs, const Thread *th, u32 a, InsId stop, bool *seen, VecU32 *work)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, th->fork_inst);
	InsId from = th->fork + 1;

	for (;;) {
		const Fn *f = &r->ir->fns.at[fn];
		const Block *bl = fn_block(r->ir, f, walk_block(r->walk, fn, from));
		bool waited = false;

		for (; from < bl->ins + bl->nins && !waited; from++) {
			if (from == stop || ir_ins(r->ir, from)->op == OP_RET)
				return false;
			waited = told(rs, a, waited_at(rs, (Point){th->fork_inst, from}));
		}
		for (u32 k = 0; !waited && k < bl->nsucc; k++) {
			BlockId s = r->ir->succs.at[bl->succ + k];

			if (!seen[s]) {
				seen[s] = true;
				vec_push(r->arena, work, s);
			}
		}
		if (!work->n)
			return tells(rs, a);
		from = fn_block(r->ir, f, work->at[--work->n])->ins;
	}
}

static bool
fork_awaited(Reasons *rs, u32 a, u32 b)
{
	const Races *r = rs->r;
	const Thread *th = thread_get(r->conc->threads, access_at(r, a)->thread);
	u32 n = pta_fn(r->pta, th->fork_inst)->nblock + 1;
	VecU32 work = {0};
	bool *seen, found;

	if (!th->fork || th->parent != access_at(r, b)->thread)
		return false;
	seen = arena_array(r->arena, bool, n);
	found = all_await(rs, th, a, access_at(r, b)->ins, seen, &work);
	arena_recycle(r->arena, seen, n * sizeof *seen);
	arena_recycle(r->arena, work.at, work.cap * sizeof *work.at);
	return found;
}

/* Does thread t, or its creator, store a constant to what the load reads? */
static bool
sets_flag(const Races *r, ThreadId t, Point load)
{
	ThreadId parent = thread_get(r->conc->threads, t)->parent;

	for (u32 k = 0; k < r->conc->accesses.n; k++) {
		const Access *a = access_at(r, k);
		const Ins *i = ir_ins(r->ir, a->ins);

		if (i->op == OP_STORE && (a->thread == t || a->thread == parent) &&
		    val_is_const(ins_arg(r->ir, i, 1)) &&
		    same_cell(r, (Point){a->inst, a->ins}, load))
			return true;
	}
	return false;
}

/* A test for one value: an (in)equality, or a truth value. */
static bool
is_flag_test(const Ir *ir, const Fn *f, Val v)
{
	InsId id;
	const Ins *i = def_of(ir, f, v, &id);

	return i && (i->op != OP_CMP || i->sub == CMP_EQ || i->sub == CMP_NE);
}

/* Is the fork of t reached only by one way out of a branch on such a flag? */
static bool
fork_guarded(const Races *r, ThreadId t)
{
	const Thread *th = thread_get(r->conc->threads, t);
	FnId fn;
	const Fn *f;

	if (!th->fork)
		return false;
	fn = inst_fn(r, th->fork_inst);
	f = &r->ir->fns.at[fn];
	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		InsId branch = bl->ins + bl->nins - 1, loads[MAX_LOADS];
		const Ins *i = ir_ins(r->ir, branch);
		u32 n = 0, ways = 0;

		if (i->op != OP_CBR || !walk_dominates(r->walk, fn, branch, th->fork) ||
		    !is_flag_test(r->ir, f, ins_arg(r->ir, i, 0)))
			continue;
		for (u32 k = 0; k < bl->nsucc; k++) {
			BlockId s = r->ir->succs.at[bl->succ + k];

			ways +=
			    walk_block_dominates(r->walk, fn, s, walk_block(r->walk, fn, th->fork));
		}
		n = slice(r->ir, f, ins_arg(r->ir, i, 0), loads);
		for (u32 k = 0; ways == 1 && k < n; k++)
			if (sets_flag(r, t, (Point){th->fork_inst, loads[k]}))
				return true;
	}
	return false;
}

/* Two instances of one thread, or what one fork makes in two contexts. */
static bool
same_fork(const Races *r, ThreadId t, ThreadId u)
{
	const Thread *x = thread_get(r->conc->threads, t), *y = thread_get(r->conc->threads, u);

	return t == u || (x->fork == y->fork && inst_fn(r, x->start) == inst_fn(r, y->start));
}

bool
reason_non_parallel(Reasons *rs, u32 a, u32 b)
{
	ThreadId t = access_at(rs->r, a)->thread;

	if (before(rs, a, b) || before(rs, b, a) || both_last(rs, a, b) || handshake(rs, a, b) ||
	    fork_awaited(rs, a, b) || fork_awaited(rs, b, a))
		return true;
	if (!same_fork(rs->r, t, access_at(rs->r, b)->thread))
		return false;
	if (!rs->guarded[t])
		rs->guarded[t] = (u8)(1 + fork_guarded(rs->r, t));
	return rs->guarded[t] == 2;
}

/* steady.c - values that stay the same from a point of a function on.
 *
 *	for (i = 0; i < pool->n; i++) create(&pool->threads[i], ...);
 *
 * reads the bound and the array anew in every round.  They are the same each time,
 * and in a later loop of the same activation, if nothing that can run meanwhile writes
 * them: no other thread ever does, no instruction behind the point in this function, and
 * nothing that is called from there.  What was computed before the point is a value. */
#include "conc/steady.h"

#include "conc/access.h"
#include "ir/cfg.h"

enum { MAX_DEPTH = 8, MAX_PLACES = 8 };

typedef struct Write {
	InstId inst;
	InsId ins;
	Val addr;
	u64 size; /* 0: unknown, to the end */
} Write;

/* What can run in an activation of an instance from a point on. */
typedef struct Region {
	BlockId first;     /* of this one from start on, if it is not among the blocks */
	InsId start, stop; /* of stop's block up to there; 0: no end */
	Set blocks;
	Set insts; /* what is called from there, directly or not */
} Region;

struct Steady {
	const Threads *t;
	const Pta *p;
	const Ir *ir;
	Arena *arena;
	Vec(Write) writes; /* all of the program */
	bool listed;
	Map regions; /* (instance, block) -> index in at, plus 1 */
	Vec(Region) at;
};

Steady *
steady_new(const Threads *t, Arena *a)
{
	Steady *s = arena_new(a, Steady);

	*s = (Steady){.t = t, .p = t->pta, .ir = t->pta->ir, .arena = a};
	return s;
}

/* What unknown code is given it may write. */
static void
list_writes(Steady *s, InstId inst, InsId id)
{
	const Ins *i = ir_ins(s->ir, id);
	Touch touch[2];
	u32 n = access_touches(s->ir, id, touch);

	for (u32 k = 0; k < n; k++)
		/* What was freed is not looked at again. */
		if (touch[k].flags & ACC_WRITE && !(touch[k].flags & ACC_FREE))
			vec_push(s->arena, &s->writes,
				 (Write){inst, id, touch[k].addr, touch[k].size});
	for (u32 k = 0; (i->op == OP_EXTERN || i->op == OP_PUBLISH) && k < i->narg; k++)
		vec_push(s->arena, &s->writes, (Write){inst, id, ins_arg(s->ir, i, k), 0});
}

/* Lists the writes of the program; once. */
static void
list_all(Steady *s)
{
	if (s->listed)
		return;
	s->listed = true;
	for (InstId i = 1; i < s->p->insts.n; i++) {
		const Fn *fn = pta_fn(s->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++)
			list_writes(s, i, id);
	}
}

static bool
region_has(const Steady *s, const Region *r, const Fn *fn, InsId ins)
{
	BlockId b = cfg_block_of(s->ir, fn, ins);

	if (r->stop && b == cfg_block_of(s->ir, fn, r->stop) && ins > r->stop &&
	    (b != r->first || r->stop > r->start))
		return false;
	return set_has(&r->blocks, b) || (b == r->first && ins >= r->start);
}

/* The instances that are called from the blocks of the region, and from there. */
static void
find_called(Steady *s, Region *r, InstId inst)
{
	const Fn *fn = pta_fn(s->p, inst);
	const Inst *in = pta_inst(s->p, inst);
	VecU32 todo = {0};

	for (u32 e = in->edge; e < in->edge + in->nedge; e++) {
		const Edge *edge = &s->p->edges.at[e];
		if (!edge->fork && region_has(s, r, fn, edge->ins) &&
		    set_add(s->arena, &r->insts, edge->to))
			vec_push(s->arena, &todo, edge->to);
	}
	while (todo.n) {
		in = pta_inst(s->p, todo.at[--todo.n]);
		for (u32 e = in->edge; e < in->edge + in->nedge; e++)
			if (!s->p->edges.at[e].fork &&
			    set_add(s->arena, &r->insts, s->p->edges.at[e].to))
				vec_push(s->arena, &todo, s->p->edges.at[e].to);
	}
}

/* The region from start on, up to stop if that is not 0. */
static Region
find_region(Steady *s, InstId inst, InsId start, InsId stop)
{
	const Fn *fn = pta_fn(s->p, inst);
	Region r = {cfg_block_of(s->ir, fn, start), start, stop, {0}, {0}};
	BlockId last = stop ? cfg_block_of(s->ir, fn, stop) : 0;
	VecU32 todo = {0};

	if (r.first != last || stop < start)
		vec_push(s->arena, &todo, r.first);
	while (todo.n) {
		const Block *b = fn_block(s->ir, fn, todo.at[--todo.n]);
		for (u32 k = 0; k <= b->nsucc; k++) {
			BlockId to = k < b->nsucc ? s->ir->succs.at[b->succ + k] : b->exc;
			if (to && set_add(s->arena, &r.blocks, to) && to != last)
				vec_push(s->arena, &todo, to);
		}
	}
	find_called(s, &r, inst);
	return r;
}

static const Region *
region_from(Steady *s, InstId inst, InsId start)
{
	u32 *at = map_at(s->arena, &s->regions, map_pair(inst, start));

	if (!*at) {
		vec_push(s->arena, &s->at, find_region(s, inst, start, 0));
		*at = s->at.n;
	}
	return &s->at.at[*at - 1];
}

static const Region *
region_of(Steady *s, InstId inst, BlockId from)
{
	return region_from(s, inst, fn_block(s->ir, pta_fn(s->p, inst), from)->ins);
}

/* Does a thread other than the one that is in inst run w's instance? */
static bool
other_runs(const Steady *s, InstId inst, const Write *w)
{
	ThreadId only = 0;

	for (ThreadId x = 1; x < s->t->at.n; x++)
		if (set_has(&s->t->insts[x], inst)) {
			if (only || !thread_get(s->t, x)->unique)
				only = s->t->at.n; /* each of them is another to the others */
			only = only ? only : x;
		}
	for (ThreadId x = 1; x < s->t->at.n; x++)
		if (x != only && set_has(&s->t->insts[x], w->inst))
			return true;
	return false;
}

/* May w run, in the thread of inst or in another, while inst is in the region? */
static bool
may_run(const Steady *s, const Region *r, InstId inst, const Write *w)
{
	if (other_runs(s, inst, w))
		return true;
	if (set_has(&r->insts, w->inst))
		return true;
	return w->inst == inst && region_has(s, r, pta_fn(s->p, inst), w->ins);
}

/* All slots that may share bytes with `bytes` at one of these. */
static void
overlapping(const Steady *s, const Set *at, u32 bytes, Set *out)
{
	for (SlotId i = 1; i < s->p->slots.n; i++)
		SET_FOR (it, at)
			if (pta_slot(s->p, it.x)->obj == pta_slot(s->p, i)->obj &&
			    pta_overlap(s->p, it.x, bytes, i, 0))
				set_add(s->arena, out, i);
}

static bool
writes_to(const Steady *s, const Write *w, const Set *at, u32 bytes, const Set *near)
{
	const Set *pts = pta_pts(s->p, w->inst, w->addr);

	if (!set_meets(pts, near))
		return false;
	SET_FOR (to, pts)
		SET_FOR (it, at)
			if (pta_overlap(s->p, it.x, bytes, to.x, w->size))
				return true;
	return false;
}

static bool
is_among(void *ctx, InstId inst, InsId ins)
{
	const SteadyWrites *spared = ctx;

	for (u32 i = 0; i < spared->n; i++)
		if (spared->at[i].ins == ins && spared->at[i].inst == inst)
			return true;
	return false;
}

/* Is each write to the memory there that can run while inst is in the region, or ever if there is
 * none, one that `fine` lets pass? */
static bool
only_fine(Steady *s, const Region *r, InstId inst, const Set *at, u32 bytes, SteadyFine *fine,
	  void *ctx)
{
	Set near = {0};
	bool found = false;

	list_all(s);
	overlapping(s, at, bytes, &near);
	for (u32 k = 0; k < s->writes.n && !found; k++) {
		const Write *w = &s->writes.at[k];
		found = writes_to(s, w, at, bytes, &near) && (!r || may_run(s, r, inst, w)) &&
			!fine(ctx, w->inst, w->ins);
	}
	set_recycle(s->arena, &near);
	return !found;
}

/* Is the memory there written by nothing but what is spared while inst is in the region? */
static bool
unwritten_at(Steady *s, const Region *r, InstId inst, const Set *at, u32 bytes,
	     const SteadyWrites *spared)
{
	SteadyWrites list = *spared;

	if (set_empty(at) || set_count(at) > MAX_PLACES)
		return false;
	SET_FOR (it, at)
		if (pta_obj(s->p, pta_slot(s->p, it.x)->obj)->kind == OBJ_EXTERN)
			return false;
	return only_fine(s, r, inst, at, bytes, is_among, &list);
}

bool
steady_fine(Steady *s, const Set *at, u32 bytes, SteadyFine *fine, void *ctx)
{
	return only_fine(s, NULL, 0, at, bytes, fine, ctx);
}

bool
steady_fine_between(Steady *s, InstId inst, InsId start, InsId stop, const Set *at, u32 bytes,
		    SteadyFine *fine, void *ctx)
{
	Region r = find_region(s, inst, start, stop);

	return only_fine(s, &r, inst, at, bytes, fine, ctx);
}

static bool
unwritten(Steady *s, const Region *r, InstId inst, Val addr, u32 bytes, InsId except)
{
	SteadyWrite one = {inst, except};
	SteadyWrites spared = {.at = &one, .n = except != 0};

	return unwritten_at(s, r, inst, pta_pts(s->p, inst, addr), bytes, &spared);
}

static bool
same_from(Steady *s, const Region *r, InstId inst, Val v, u32 depth)
{
	const Fn *fn = pta_fn(s->p, inst);
	InsId def = val_is_reg(v) ? fn_reg(s->ir, fn, v)->def : 0;
	const Ins *i = def ? ir_ins(s->ir, def) : NULL;

	if (!i || !region_has(s, r, fn, def))
		return v != 0;
	if (depth > MAX_DEPTH || (i->op != OP_LOAD && i->op != OP_COPY && i->op != OP_CAST &&
				  i->op != OP_FIELD && i->op != OP_INDEX && i->op != OP_BIN))
		return false;
	for (u32 k = 0; k < i->narg; k++)
		if (!same_from(s, r, inst, ins_arg(s->ir, i, k), depth + 1))
			return false;
	return i->op != OP_LOAD ||
	       (i->order == ORDER_PLAIN &&
		unwritten(s, r, inst, ins_arg(s->ir, i, 0),
			  i->width ? (i->width + 7u) / 8 : s->ir->ptr_bytes, 0));
}

bool
steady_from(Steady *s, InstId inst, BlockId from, Val v)
{
	return same_from(s, region_of(s, inst, from), inst, v, 0);
}

bool
steady_asked(void *ctx, Val v)
{
	const SteadyFrom *a = ctx;

	return steady_from(a->s, a->inst, a->from, v);
}

bool
steady_but(Steady *s, InstId inst, BlockId from, Val addr, u32 bytes, InsId except)
{
	return unwritten(s, region_of(s, inst, from), inst, addr, bytes, except);
}

bool
steady_behind(Steady *s, InstId inst, InsId start, Val addr, u32 bytes)
{
	return unwritten(s, region_from(s, inst, start), inst, addr, bytes, 0);
}

bool
steady_between_but(Steady *s, InstId inst, InsId start, InsId stop, const Set *at, u32 bytes,
		   const SteadyWrites *spared)
{
	Region r = find_region(s, inst, start, stop);

	return unwritten_at(s, &r, inst, at, bytes, spared);
}

bool
steady_between(Steady *s, InstId inst, InsId start, InsId stop, const Set *at, u32 bytes)
{
	static const SteadyWrites none;

	return steady_between_but(s, inst, start, stop, at, bytes, &none);
}

/* Is what the load finds the same from then on? */
static bool
stays(Steady *s, InstId inst, InsId load)
{
	const Fn *fn = pta_fn(s->p, inst);

	return steady_from(s, inst, cfg_block_of(s->ir, fn, load), ir_ins(s->ir, load)->dst);
}

/* The number behind copies and wider forms of it. */
static Val
narrow(const Ir *ir, const Fn *fn, Val v)
{
	while (val_is_reg(v) && fn_reg(ir, fn, v)->def) {
		const Ins *i = ir_ins(ir, fn_reg(ir, fn, v)->def);
		if (i->op != OP_COPY && (i->op != OP_CAST || i->sub != CAST_SEXT))
			break;
		v = ins_arg(ir, i, 0);
	}
	return v;
}

bool
steady_same(Steady *s, InstId inst, Val x, Val y)
{
	const Fn *fn = pta_fn(s->p, inst);

	for (u32 depth = 0;; depth++) {
		x = narrow(s->ir, fn, x);
		y = narrow(s->ir, fn, y);
		if (x == y)
			return true;
		InsId dx = val_is_reg(x) ? fn_reg(s->ir, fn, x)->def : 0;
		InsId dy = val_is_reg(y) ? fn_reg(s->ir, fn, y)->def : 0;
		const Ins *i = dx ? ir_ins(s->ir, dx) : NULL, *j = dy ? ir_ins(s->ir, dy) : NULL;

		if (!i || !j || depth > MAX_DEPTH || i->op != j->op || i->sub != j->sub ||
		    i->narg != 1 || j->narg != 1 || i->imm != j->imm || i->aux != j->aux ||
		    i->width != j->width ||
		    (i->op != OP_LOAD && i->op != OP_COPY && i->op != OP_CAST && i->op != OP_FIELD))
			return false;
		if (i->op == OP_LOAD && !stays(s, inst, dx))
			return false;
		x = ins_arg(s->ir, i, 0);
		y = ins_arg(s->ir, j, 0);
	}
}

/* reason_apart.c - what a program does in one mode only, against threads that it has in another.
 *
 *	if (!(mode & SYNC)) create(worker);  ...  if (mode & SYNC) work(); else put(&queue);
 *
 * A mode is a variable that is only loaded and stored by its name, and that is compared, as a whole or some of
 * its bits, with a constant.  The one side is behind one outcome, on its call path or where its thread, or that
 * one's creator, is started; the other side behind one that excludes it.  No store to the variable lies behind
 * the start of either thread, in the first function from which calls lead to both: so it
 * is the same for both sides.
 * That this function runs once is not shown, so this only lowers a rung.  The conditions of a place are found
 * once, by its dominators; stores in one pass. */
#include "race/reason_int.h"

enum { UP = 8, MAX_STORES = 16 };

typedef struct Condition {
	GlobalId mode;
	i64 off, mask; /* mask 0: all of it */
	i64 value;
	bool equal; /* to the value, or not */
} Condition;

typedef Vec(Condition) Conditions;

typedef struct Apart {
	Map known; /* function and block -> index plus 1 in sets */
	Vec(Conditions) sets;
	bool *unfit;    /* [GlobalId]: it is no mode */
	VecU32 *stores; /* [GlobalId]: instructions */
} Apart;

/* ---- conditions ------------------------------------------------------------------- */

static bool
number(const Ir *ir, Val v, i64 *out)
{
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;

	*out = c && c->kind == CONST_INT ? c->num : 0;
	return c && (c->kind == CONST_INT || c->kind == CONST_NULL);
}

/* Is v a variable, or bits of one? */
static bool
is_mode(const Ir *ir, const Fn *f, Val v, Condition *out)
{
	InsId id;
	const Ins *i = def_of(ir, f, v, &id);
	const Const *c;

	while (i && (i->op == OP_COPY || i->op == OP_CAST))
		i = def_of(ir, f, ins_arg(ir, i, 0), &id);
	if (i && i->op == OP_BIN && i->sub == BIN_AND && number(ir, ins_arg(ir, i, 1), &out->mask))
		i = def_of(ir, f, ins_arg(ir, i, 0), &id);
	while (i && (i->op == OP_COPY || i->op == OP_CAST))
		i = def_of(ir, f, ins_arg(ir, i, 0), &id);
	c = i && i->op == OP_LOAD && val_is_const(ins_arg(ir, i, 0))
		? ir_const(ir, ins_arg(ir, i, 0))
		: NULL;
	if (!c || c->kind != CONST_GLOBAL)
		return false;
	out->mode = c->ref;
	out->off = c->num;
	return true;
}

/* What holds where the value is not zero. */
static bool
condition_of(const Ir *ir, const Fn *f, Val v, Condition *out)
{
	InsId id;
	const Ins *i = def_of(ir, f, v, &id);
	i64 one;

	*out = (Condition){0};
	if (i && i->op == OP_BIN && i->sub == BIN_XOR && i->width == 1 &&
	    number(ir, ins_arg(ir, i, 1), &one) && one) {
		if (!condition_of(ir, f, ins_arg(ir, i, 0), out))
			return false;
		out->equal = !out->equal;
		return true;
	}
	if (!i || i->op != OP_CMP)
		return is_mode(ir, f, v, out); /* other than zero */
	out->equal = i->sub == CMP_EQ;
	return (i->sub == CMP_EQ || i->sub == CMP_NE) &&
	       number(ir, ins_arg(ir, i, 1), &out->value) && is_mode(ir, f, ins_arg(ir, i, 0), out);
}

/* The conditions that hold in the block, by the branches that alone lead there. */
static const Conditions *
conditions_in(const Races *r, Apart *x, FnId fn, BlockId at)
{
	const Fn *f = &r->ir->fns.at[fn];
	u32 *known = map_at(r->arena, &x->known, map_pair(fn, at));
	Conditions found = {0};

	if (*known)
		return &x->sets.at[*known - 1];
	for (BlockId b = walk_idom(r->walk, fn, at); b; b = walk_idom(r->walk, fn, b)) {
		const Block *bl = fn_block(r->ir, f, b);
		const Ins *end = ir_ins(r->ir, bl->ins + bl->nins - 1);
		Condition c;
		if (end->op != OP_CBR || !condition_of(r->ir, f, ins_arg(r->ir, end, 0), &c))
			continue;
		for (u32 k = 0; k < bl->nsucc; k++) {
			BlockId s = r->ir->succs.at[bl->succ + k];
			u32 n;
			walk_preds(r->walk, fn, s, &n);
			if (n != 1 || !walk_block_dominates(r->walk, fn, s, at))
				continue;
			c.equal ^= k;
			vec_push(r->arena, &found, c);
			break;
		}
	}
	vec_push(r->arena, &x->sets, found);
	*map_at(r->arena, &x->known, map_pair(fn, at)) = x->sets.n;
	return &x->sets.at[x->sets.n - 1];
}

static void
add_at(const Races *r, Apart *x, Point at, Conditions *out)
{
	FnId fn = inst_fn(r, at.inst);
	const Conditions *c = conditions_in(r, x, fn, walk_block(r->walk, fn, at.ins));

	for (u32 k = 0; k < c->n; k++)
		vec_push(r->arena, out, c->at[k]);
}

/* The only call of the function of an instance, where there is one. */
static bool
up(const Races *r, Point *at)
{
	const Inst *in = pta_inst(r->pta, at->inst);
	const Edge *e = in->ncaller == 1 ? &r->pta->edges.at[r->pta->callers.at[in->caller]] : NULL;

	if (!e || e->fork)
		return false;
	*at = (Point){e->from, e->ins};
	return true;
}

/* All conditions on the way to the access, and to the starts of its thread and its creators. */
static void
conditions_of(Reasons *rs, Apart *x, u32 access, Conditions *out)
{
	const Races *r = rs->r;
	const Access *a = access_at(r, access);
	const Way *ways = r->conc->ways;
	u32 n = 0;

	add_at(r, x, (Point){a->inst, a->ins}, out);
	for (u32 w = a->way; ways[w].edge && n < UP * 2; w = ways[w].from, n++) {
		const Edge *e = &r->pta->edges.at[ways[w].edge - 1];
		add_at(r, x, (Point){e->from, e->ins}, out);
	}
	for (ThreadId t = a->thread; t != 1; t = thread_get(r->conc->threads, t)->parent) {
		const Thread *th = thread_get(r->conc->threads, t);
		Point at = {th->fork_inst, th->fork};
		n = 0;
		do
			add_at(r, x, at, out);
		while (++n < UP && up(r, &at));
	}
}

/* ---- stores ----------------------------------------------------------------------- */

static void
note_uses(const Races *r, Apart *x, InsId id)
{
	const Ir *ir = r->ir;
	const Ins *i = ir_ins(ir, id);
	bool direct = i->op == OP_LOAD || i->op == OP_STORE;

	for (u32 k = 0; k < i->narg; k++) {
		Val v = ins_arg(ir, i, k);
		const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;
		if (!c || c->kind != CONST_GLOBAL)
			continue;
		if (k || !direct)
			x->unfit[c->ref] = true;
		else if (i->op == OP_STORE)
			vec_push(r->arena, &x->stores[c->ref], id);
	}
}

static Apart *
apart_of(Reasons *rs)
{
	const Races *r = rs->r;
	Apart *x;

	if (rs->apart)
		return rs->apart;
	x = rs->apart = arena_new(r->arena, Apart);
	x->unfit = arena_array(r->arena, bool, r->ir->globals.n + 1);
	x->stores = arena_array(r->arena, VecU32, r->ir->globals.n + 1);
	for (InsId id = 1; id < r->ir->ins.n; id++)
		note_uses(r, x, id);
	for (u32 k = 1; k < r->ir->inits.n; k++) {
		Val v = r->ir->inits.at[k].val;
		const Const *c = val_is_const(v) ? ir_const(r->ir, v) : NULL;
		if (c && c->kind == CONST_GLOBAL)
			x->unfit[c->ref] = true;
	}
	return x;
}

bool
reason_not_behind(const Races *r, Point start, Point at)
{
	for (u32 i = 0; i < UP; i++) {
		Point from = start;
		for (u32 k = 0; k < UP; k++) {
			if (from.inst == at.inst)
				return !walk_reaches(r->walk, inst_fn(r, at.inst), from.ins,
						     at.ins);
			if (!up(r, &from))
				break;
		}
		if (!up(r, &at))
			break;
	}
	return false;
}

static bool
is_set_before(const Races *r, const Apart *x, GlobalId mode, ThreadId t)
{
	const VecU32 *stores = &x->stores[mode];
	const Thread *th = thread_get(r->conc->threads, t);

	if (x->unfit[mode] || stores->n > MAX_STORES)
		return false;
	for (InstId inst = 1; inst < r->pta->insts.n; inst++) {
		const Fn *f = pta_fn(r->pta, inst);
		for (u32 k = 0; k < stores->n; k++)
			if (stores->at[k] >= f->ins && stores->at[k] < f->ins + f->nins &&
			    !reason_not_behind(r, (Point){th->fork_inst, th->fork},
					       (Point){inst, stores->at[k]}))
				return false;
	}
	return true;
}

/* The thread or its creator that the main thread has started. */
static ThreadId
first_of(const Races *r, ThreadId t)
{
	while (thread_get(r->conc->threads, t)->parent != 1)
		t = thread_get(r->conc->threads, t)->parent;
	return t;
}

static bool
excludes(const Condition *a, const Condition *b)
{
	return a->mode == b->mode && a->off == b->off && a->mask == b->mask &&
	       (a->equal == b->equal ? a->equal && a->value != b->value : a->value == b->value);
}

bool
reason_apart(Reasons *rs, u32 a, u32 b)
{
	const Races *r = rs->r;
	ThreadId t = access_at(r, a)->thread, u = access_at(r, b)->thread;
	Conditions x = {0}, y = {0};
	Apart *apart;
	bool found = false;

	if (r->ir->classes.n > 1 || t == u)
		return false;
	apart = apart_of(rs);
	conditions_of(rs, apart, a, &x);
	conditions_of(rs, apart, b, &y);
	for (u32 i = 0; i < x.n && !found; i++)
		for (u32 k = 0; k < y.n && !found; k++)
			found = excludes(&x.at[i], &y.at[k]) &&
				(t == 1 || is_set_before(r, apart, x.at[i].mode, first_of(r, t))) &&
				(u == 1 || is_set_before(r, apart, x.at[i].mode, first_of(r, u)));
	arena_recycle(r->arena, x.at, x.cap * sizeof *x.at);
	arena_recycle(r->arena, y.at, y.cap * sizeof *y.at);
	return found;
}

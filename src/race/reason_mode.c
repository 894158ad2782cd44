/* reason_mode.c - what a thread does only while a mode is at rest.
 *
 * A program that works in phases says so in a variable: a function sets it, hands out
 * work, waits for it, and sets it back before it returns.  Code that both sides share
 * asks the variable: `if (mode != REST) { postpone; return; }`, and goes on with what
 * only the thread that sets the mode may do.
 *
 * A mode is a global variable that is only loaded and stored by its name, whose stores
 * are of constants, and that has a value REST: behind each store of another value, every path to a
 * return of that function stores REST.  At rest are the calls in blocks that only the
 * outcome mode == REST of a branch leads to.  What a thread reaches only by such calls
 * it hardly does: it works while the mode is set (reason_way.c).  The variable itself is
 * not excused, so whoever is wrong here reads of it.
 *
 * This is no proof: it only lowers a rung.  Found at the first question, in passes over
 * the instructions and one over the blocks of each function that stores a mode. */
#include "race/reason_int.h"

#include <stdlib.h>

enum { MAX_STORES = 16 /* of one mode */ };

typedef struct ModeStore {
	GlobalId global;
	FnId fn;
	InsId ins;
	i64 value;
} ModeStore;

typedef struct Modes {
	const Races *r;
	bool *unfit; /* [GlobalId]: it is no mode */
	Vec(ModeStore) stores;
	Map rest; /* global -> index + 1 of a store of its value at rest */
	Set *calls;
} Modes;

static GlobalId
named(const Ir *ir, Val v)
{
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;

	return c && c->kind == CONST_GLOBAL && !c->num ? c->ref : 0;
}

static bool
number(const Ir *ir, Val v, i64 *out)
{
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;

	if (!c || c->kind != CONST_INT)
		return false;
	*out = c->num;
	return true;
}

/* Any constant that leads to a global: its address goes elsewhere. */
static void
mark_unfit(Modes *m, Val v)
{
	const Const *c = val_is_const(v) ? ir_const(m->r->ir, v) : NULL;

	if (c && c->kind == CONST_GLOBAL)
		m->unfit[c->ref] = true;
}

static void
look_at(Modes *m, FnId fn, InsId id)
{
	const Ir *ir = m->r->ir;
	const Ins *i = ir_ins(ir, id);
	bool direct = i->op == OP_LOAD || i->op == OP_STORE;
	GlobalId g = direct ? named(ir, ins_arg(ir, i, 0)) : 0;
	i64 value;

	for (u32 k = g ? 1 : 0; k < i->narg; k++)
		mark_unfit(m, ins_arg(ir, i, k));
	if (!g || i->op == OP_LOAD)
		return;
	if (number(ir, ins_arg(ir, i, 1), &value))
		vec_push(m->r->arena, &m->stores, ((ModeStore){g, fn, id, value}));
	else
		m->unfit[g] = true;
}

/* Does block b store value to g, behind ins if that is in it? */
static bool
resets(const Modes *m, const Block *b, InsId ins, GlobalId g, i64 value)
{
	const Ir *ir = m->r->ir;
	bool from = !(ins >= b->ins && ins < b->ins + b->nins), reset = false;
	i64 v;

	for (InsId id = b->ins; id < b->ins + b->nins; id++) {
		const Ins *i = ir_ins(ir, id);
		if (from && i->op == OP_STORE && named(ir, ins_arg(ir, i, 0)) == g)
			reset = number(ir, ins_arg(ir, i, 1), &v) && v == value;
		from |= id == ins;
	}
	return reset;
}

/* Is value stored on every path from the store to a return, by its function itself? */
static bool
is_reset(const Modes *m, const ModeStore *s, i64 value)
{
	const Ir *ir = m->r->ir;
	const Fn *f = &ir->fns.at[s->fn];
	bool *seen = arena_array(m->r->arena, bool, f->nblock + 1), all = true;
	VecU32 work = {0};
	BlockId b = walk_block(m->r->walk, s->fn, s->ins);

	vec_push(m->r->arena, &work, b);
	while (work.n && all) {
		const Block *bl = fn_block(ir, f, b = work.at[--work.n]);
		if (resets(m, bl, seen[b] ? 0 : s->ins, s->global, value))
			continue;
		all = ir_ins(ir, bl->ins + bl->nins - 1)->op != OP_RET;
		for (u32 k = 0; k < bl->nsucc; k++) {
			BlockId next = ir->succs.at[bl->succ + k];
			if (!seen[next])
				vec_push(m->r->arena, &work, next);
			seen[next] = true;
		}
	}
	arena_recycle(m->r->arena, seen, (f->nblock + 1) * sizeof *seen);
	arena_recycle(m->r->arena, work.at, work.cap * sizeof *work.at);
	return all;
}

static int
by_global(const void *x, const void *y)
{
	const ModeStore *a = x, *b = y;

	if (a->global != b->global)
		return a->global < b->global ? -1 : 1;
	return a->ins < b->ins ? -1 : a->ins > b->ins;
}

/* Is there another value among the n stores of one global, and each reset to this one? */
static bool
is_rest(const Modes *m, const ModeStore *s, u32 n, i64 value)
{
	bool others = false;

	for (u32 k = 0; k < n; k++) {
		if (s[k].value == value)
			continue;
		others = true;
		if (!is_reset(m, &s[k], value))
			return false;
	}
	return others;
}

/* Notes the value at rest of each mode. */
static void
find_rest(Modes *m)
{
	if (m->stores.n)
		qsort(m->stores.at, m->stores.n, sizeof *m->stores.at, by_global);
	for (u32 k = 0, n; k < m->stores.n; k += n) {
		const ModeStore *s = &m->stores.at[k];
		bool found = m->unfit[s->global];
		for (n = 1; k + n < m->stores.n && s[n].global == s->global;)
			n++;
		for (u32 i = 0; i < n && n <= MAX_STORES && !found; i++) {
			found = is_rest(m, s, n, s[i].value);
			if (found)
				map_put(m->r->arena, &m->rest, s->global, k + i + 1);
		}
	}
}

/* The block that a branch goes to only if a mode is at rest; 0: it asks for none. */
static BlockId
rest_block(const Modes *m, const Fn *f, const Block *b)
{
	const Ir *ir = m->r->ir;
	const Ins *last = ir_ins(ir, b->ins + b->nins - 1), *cmp, *load;
	InsId id;
	u32 rest;
	i64 value;

	if (last->op != OP_CBR)
		return 0;
	cmp = def_of(ir, f, ins_arg(ir, last, 0), &id);
	if (!cmp || cmp->op != OP_CMP || (cmp->sub != CMP_EQ && cmp->sub != CMP_NE) ||
	    !number(ir, ins_arg(ir, cmp, 1), &value))
		return 0;
	load = def_of(ir, f, ins_arg(ir, cmp, 0), &id);
	rest = load && load->op == OP_LOAD ? map_get(&m->rest, named(ir, ins_arg(ir, load, 0))) : 0;
	if (!rest || m->stores.at[rest - 1].value != value)
		return 0;
	return ir->succs.at[b->succ + (cmp->sub == CMP_NE)];
}

static void
find_calls(Modes *m, FnId fn)
{
	const Ir *ir = m->r->ir;
	const Fn *f = &ir->fns.at[fn];

	for (BlockId b = 1; b <= f->nblock; b++) {
		BlockId rest = rest_block(m, f, fn_block(ir, f, b));
		u32 n = 0;
		if (rest)
			(void)walk_preds(m->r->walk, fn, rest, &n);
		if (n != 1)
			continue;
		for (BlockId c = 1; c <= f->nblock; c++) {
			const Block *bl = fn_block(ir, f, c);
			if (!walk_block_dominates(m->r->walk, fn, rest, c))
				continue;
			for (InsId id = bl->ins; id < bl->ins + bl->nins; id++)
				if (ir_ins(ir, id)->op == OP_CALL)
					set_add(m->r->arena, m->calls, id);
		}
	}
}

const Set *
reason_rest_calls(Reasons *rs)
{
	Modes m = {.r = rs->r};
	const Ir *ir = rs->r->ir;

	if (rs->rest_calls)
		return rs->rest_calls;
	m.calls = rs->rest_calls = arena_new(rs->r->arena, Set);
	m.unfit = arena_array(rs->r->arena, bool, ir->globals.n + 1);
	for (GlobalId g = 1; g < ir->globals.n; g++)
		for (u32 k = 0; k < ir->globals.at[g].ninit; k++)
			mark_unfit(&m, ir->inits.at[ir->globals.at[g].init + k].val);
	for (FnId f = 1; f < ir->fns.n; f++)
		for (InsId id = ir->fns.at[f].ins; id < ir->fns.at[f].ins + ir->fns.at[f].nins;
		     id++)
			look_at(&m, f, id);
	find_rest(&m);
	for (FnId f = 1; f < ir->fns.n && m.rest.n; f++)
		find_calls(&m, f);
	return rs->rest_calls;
}

/* given.c - see given.h.
 *
 * Code that threads share asks its parameters what to do: `if (async) put_off(c); else
 * release(c);`, `if (done) done(x);`.  What one thread passes need not be what the others do.
 * For one thread, each parameter of an instance has a value of the lattice
 *
 *	none < one constant < any
 *
 * Those of the start routine are what the thread's fork passes as a constant, else any.  A call
 * in a live block joins each argument into
 * the callee's parameter: a constant is itself, a parameter of the caller what that has,
 * all else any; so is what unknown code passes.  The first block is live, and what a live
 * block leads to, but for a branch whose condition is computed from constants and
 * parameters alone: that goes one way.
 *
 * Parameters rise at most twice, and an instance is looked at again only when one of its
 * own has risen, so this ends; live blocks only grow by that.  No call that a thread makes
 * is left out, if the call graph has it.  What is not live when nothing rises any more, the
 * thread never runs: no call leads to an instance with other values than were joined there.
 *
 * Parameters are kept only where a condition asks for them, or a callee that is
 * passed them does, up to ROUNDS calls further down: the others cost nothing. */
#include "conc/given.h"

#include "ir/arith.h"
#include "ir/cfg.h"

enum { ROUNDS = 3, DEPTH = 4, TRACKED = 32 /* the first parameters */ };
#define ANY UINT32_MAX

struct Given {
	Arena *a;
	const Pta *p;
	u32 *asked;  /* [FnId]: bits of parameters */
	bool *tests; /* [FnId]: a condition of its own asks for one */
	u8 *tells;   /* [index in ir->blocks]: its end may be found to go one way */
	u32 *first;  /* [InstId]: the number of its block 0 among those of all instances */
	/* of the thread at hand: */
	bool (*shuns)(void *ctx, u32 edge);
	void *ctx;
	Map row; /* instance -> index in values plus 1 */
	VecU32 values;
	VecU32 todo;
};

/* A number, or the address of a function that is there. */
typedef struct Known {
	bool is, address;
	u64 num;
} Known;

/* ---- what is asked for ---------------------------------------------------------- */

static bool
computes(const Ins *i)
{
	return i->op == OP_CMP || i->op == OP_CAST || i->op == OP_BIN || i->op == OP_COPY;
}

/* The parameters that v is computed from. */
static u32
params_in(const Ir *ir, const Fn *f, Val v, u32 depth)
{
	InsId def;
	u32 bits = 0;

	if (!val_is_reg(v) || depth == DEPTH)
		return 0;
	if (v <= f->nparam)
		return v < TRACKED ? 1u << v : 0;
	def = fn_reg(ir, f, v)->def;
	if (!def || !computes(ir_ins(ir, def)))
		return 0;
	for (u32 k = 0; k < ir_ins(ir, def)->narg; k++)
		bits |= params_in(ir, f, ins_arg(ir, ir_ins(ir, def), k), depth + 1);
	return bits;
}

/* May evaluate come to know v? */
static bool
may_evaluate(const Ir *ir, const Fn *f, Val v, u32 depth)
{
	InsId def;

	if (!val_is_reg(v) || v <= f->nparam || depth > DEPTH)
		return val_is_const(v) || (val_is_reg(v) && v <= f->nparam);
	def = fn_reg(ir, f, v)->def;
	if (!def || !computes(ir_ins(ir, def)))
		return false;
	for (u32 k = 0; k < ir_ins(ir, def)->narg; k++)
		if (!may_evaluate(ir, f, ins_arg(ir, ir_ins(ir, def), k), depth + 1))
			return false;
	return true;
}

static void
find_tests(Given *g, FnId fn)
{
	const Ir *ir = g->p->ir;
	const Fn *f = &ir->fns.at[fn];

	for (BlockId b = 1; b <= f->nblock && f->nparam; b++) {
		const Block *bl = fn_block(ir, f, b);
		const Ins *last = ir_ins(ir, bl->ins + bl->nins - 1);
		if (last->op != OP_CBR && last->op != OP_SWITCH)
			continue;
		g->asked[fn] |= params_in(ir, f, ins_arg(ir, last, 0), 0);
		g->tells[bl - ir->blocks.at] = may_evaluate(ir, f, ins_arg(ir, last, 0), 0);
	}
	g->tests[fn] = g->asked[fn] != 0;
}

/* The caller's parameter that the call passes as the k-th argument; 0 none. */
static Val
passed_on(const Pta *p, const Edge *e, u32 k)
{
	const Ins *i = ir_ins(p->ir, e->ins);
	Val v = i->op == OP_CALL && k < i->narg ? ins_arg(p->ir, i, k) : 0;

	return val_is_reg(v) && v <= pta_fn(p, e->from)->nparam && v < TRACKED ? v : 0;
}

static void
find_asked(Given *g)
{
	const Pta *p = g->p;

	for (FnId f = 1; f < p->ir->fns.n; f++)
		find_tests(g, f);
	for (u32 round = 0; round < ROUNDS; round++)
		for (u32 n = 0; n < p->edges.n; n++) {
			const Edge *e = &p->edges.at[n];
			u32 asked = e->fork ? 0 : g->asked[pta_inst(p, e->to)->fn];
			for (u32 k = 1; asked >> k; k++)
				if (asked >> k & 1 && passed_on(p, e, k))
					g->asked[pta_inst(p, e->from)->fn] |= 1u
									      << passed_on(p, e, k);
		}
}

Given *
given_new(Arena *a, const Pta *p)
{
	Given *g = arena_new(a, Given);

	*g = (Given){.a = a, .p = p};
	g->asked = arena_array(a, u32, p->ir->fns.n + 1);
	g->tests = arena_array(a, bool, p->ir->fns.n + 1);
	g->tells = arena_array(a, u8, p->ir->blocks.n);
	g->first = arena_array(a, u32, p->insts.n + 1);
	for (InstId i = 1; i < p->insts.n; i++)
		g->first[i + 1] = g->first[i] + pta_fn(p, i)->nblock + 1;
	find_asked(g);
	return g;
}

u32
given_block(const Given *g, InstId inst, BlockId b)
{
	return g->first[inst] + b;
}

/* ---- conditions ----------------------------------------------------------------- */

/* The values of the instance's parameters, from 1; null: none is kept. */
static Val *
params_of(Given *g, InstId inst)
{
	const Fn *f = pta_fn(g->p, inst);
	u32 *at;

	if (!g->asked[pta_inst(g->p, inst)->fn])
		return NULL;
	at = map_at(g->a, &g->row, inst);
	if (!*at) {
		*at = g->values.n + 1;
		for (u32 k = 0; k <= f->nparam && k < TRACKED; k++)
			vec_push(g->a, &g->values, 0);
	}
	return &g->values.at[*at - 1];
}

static Known
known_const(const Ir *ir, Val v)
{
	const Const *c = ir_const(ir, v);

	if (c->kind == CONST_FN)
		return (Known){.is = ir->fns.at[c->ref].nblock != 0, .address = true};
	return (Known){.is = c->kind == CONST_NULL || (c->kind == CONST_INT && c->width <= 64),
		       .num = c->kind == CONST_INT ? (u64)c->num : 0};
}

static Known evaluate(const Ir *ir, const Fn *f, const Val *params, Val v, u32 depth);

static Known
compared(const Ins *i, Known x, Known y)
{
	bool same = i->sub == CMP_EQ;

	if (x.address || y.address) /* against null */
		return (Known){.is = (same || i->sub == CMP_NE) && x.address != y.address &&
				     !(x.address ? y.num : x.num),
			       .num = !same};
	if (i->sub == CMP_FLOAT || i->imm < 1 || i->imm > 64)
		return (Known){0};
	return (Known){.is = true, .num = arith_compare(i->sub, x.num, y.num, (u16)i->imm)};
}

static Known
converted(const Ins *i, Known x)
{
	if (i->sub == CAST_FLOAT || i->imm < 1 || i->imm > 64 || !i->width || i->width > 64)
		return (Known){0};
	if (x.address)
		return i->sub == CAST_PTRTOINT || i->sub == CAST_INTTOPTR ? x : (Known){0};
	x.num = i->sub == CAST_SEXT ? (u64)arith_extend(x.num, (u16)i->imm)
				    : arith_mask(x.num, (u16)i->imm);
	x.num = arith_mask(x.num, i->width);
	return x;
}

static Known
computed(const Ir *ir, const Fn *f, const Val *params, const Ins *i, u32 depth)
{
	Known x = evaluate(ir, f, params, ins_arg(ir, i, 0), depth), y = {0};

	if (!x.is || i->op == OP_COPY)
		return x;
	if (i->op == OP_CAST)
		return converted(i, x);
	y = evaluate(ir, f, params, ins_arg(ir, i, 1), depth);
	if (!y.is)
		return y;
	if (i->op == OP_CMP)
		return compared(i, x, y);
	if (x.address || y.address || arith_is_division(i->sub) || i->sub == BIN_FLOAT ||
	    !i->width || i->width > 64)
		return (Known){0};
	return (Known){.is = true, .num = arith_combine(i->sub, x.num, y.num, i->width)};
}

static Known
evaluate(const Ir *ir, const Fn *f, const Val *params, Val v, u32 depth)
{
	InsId def;

	if (val_is_const(v))
		return known_const(ir, v);
	if (!val_is_reg(v) || depth == DEPTH + 1)
		return (Known){0};
	if (v <= f->nparam)
		return v < TRACKED && params[v] && params[v] != ANY ? known_const(ir, params[v])
								    : (Known){0};
	def = fn_reg(ir, f, v)->def;
	return def && computes(ir_ins(ir, def))
		   ? computed(ir, f, params, ir_ins(ir, def), depth + 1)
		   : (Known){0};
}

/* The only successor that the block's end goes to, from 1; 0: any. */
static u32
way_out(const Ir *ir, const Fn *f, const Val *params, const Block *b)
{
	const Ins *last = ir_ins(ir, b->ins + b->nins - 1);
	Known x = {0};

	if (last->op == OP_CBR || last->op == OP_SWITCH)
		x = evaluate(ir, f, params, ins_arg(ir, last, 0), 0);
	if (!x.is || x.address)
		return 0;
	if (last->op == OP_CBR)
		return x.num ? 1 : 2;
	for (u32 k = 1; k < last->narg; k++) {
		Known y = known_const(ir, ins_arg(ir, last, k));
		if (!y.is || y.address)
			return 0;
		if (y.num == x.num)
			return k + 1;
	}
	return 1;
}

static void
find_live(const Given *g, const Fn *f, const Val *params, bool *live)
{
	const Ir *ir = g->p->ir;
	VecU32 work = {0};

	live[1] = true;
	vec_push(g->a, &work, 1);
	while (work.n) {
		const Block *b = fn_block(ir, f, work.at[--work.n]);
		u32 only = g->tells[b - ir->blocks.at] ? way_out(ir, f, params, b) : 0;
		for (u32 k = 0; k <= b->nsucc; k++) {
			BlockId to = k < b->nsucc ? ir->succs.at[b->succ + k] : b->exc;
			if (!to || live[to] || (k < b->nsucc && only && only != k + 1))
				continue;
			live[to] = true;
			vec_push(g->a, &work, to);
		}
	}
	arena_recycle(g->a, work.at, work.cap * sizeof *work.at);
}

/* ---- calls ---------------------------------------------------------------------- */

/* Is the constant known, and as wide as the parameter? */
static bool
fits(const Ir *ir, Val v, const Reg *param)
{
	const Const *c = ir_const(ir, v);

	return known_const(ir, v).is &&
	       (c->kind != CONST_INT ||
		c->width == (param->width ? param->width : 8 * ir->ptr_bytes));
}

/* What the call gives the callee's k-th parameter. */
static Val
given(Given *g, const Edge *e, u32 k)
{
	const Ir *ir = g->p->ir;
	const Ins *i = ir_ins(ir, e->ins);
	Val on = passed_on(g->p, e, k), v = ANY;
	const Val *params = on ? params_of(g, e->from) : NULL;

	if (on)
		v = params ? params[on] : ANY;
	else if (i->op == OP_CALL && k < i->narg && val_is_const(ins_arg(ir, i, k)))
		v = ins_arg(ir, i, k);
	return !v || v == ANY || fits(ir, v, fn_reg(ir, pta_fn(g->p, e->to), k)) ? v : ANY;
}

/* Hands the arguments over; has a parameter risen? */
static bool
pass(Given *g, const Edge *e)
{
	u32 asked = g->asked[pta_inst(g->p, e->to)->fn];
	bool risen = false;

	for (u32 k = 1; asked >> k; k++) {
		Val v, *at;
		if (!(asked >> k & 1))
			continue;
		v = given(g, e, k);
		at = &params_of(g, e->to)[k];
		if (!v || *at == v || *at == ANY)
			continue;
		*at = *at ? ANY : v;
		risen = true;
	}
	return risen;
}

/* Which of the instance's blocks are live, by block; null: all may be. */
static bool *
live_in(Given *g, InstId inst)
{
	const Fn *f = pta_fn(g->p, inst);
	bool *live = NULL;

	if (g->tests[pta_inst(g->p, inst)->fn] && f->nblock) {
		live = arena_array(g->a, bool, f->nblock + 1);
		find_live(g, f, params_of(g, inst), live);
	}
	return live;
}

static void
look_at(Given *g, InstId inst, Set *insts, Set *skipped)
{
	const Pta *p = g->p;
	const Inst *in = pta_inst(p, inst);
	const Fn *f = pta_fn(p, inst);
	bool *live = live_in(g, inst);

	for (u32 e = in->edge; e < in->edge + in->nedge; e++) {
		const Edge *edge = &p->edges.at[e];
		bool risen;
		if (edge->fork || (g->shuns && g->shuns(g->ctx, e)))
			continue;
		if (live && !live[cfg_block_of(p->ir, f, edge->ins)]) {
			set_add(g->a, skipped, e);
			continue;
		}
		if (live)
			set_del(skipped, e);
		risen = pass(g, edge);
		if (set_add(g->a, insts, edge->to) || risen)
			vec_push(g->a, &g->todo, edge->to);
	}
	if (live)
		arena_recycle(g->a, live, (f->nblock + 1) * sizeof *live);
}

/* What the fork passes as the start routine's k-th parameter: a constant, or any. */
static Val
started_with(const Given *g, InstId start, InsId fork, u32 k)
{
	const Ir *ir = g->p->ir;
	const Ins *i = fork ? ir_ins(ir, fork) : NULL;
	const Fn *f = pta_fn(g->p, start);
	Val v = i && i->sub != CALL_VIRTUAL && k + 1 < i->narg ? ins_arg(ir, i, k + 1) : ANY;

	return v != ANY && val_is_const(v) && k <= f->nparam && fits(ir, v, fn_reg(ir, f, k)) ? v
											      : ANY;
}

bool
given_asks(const Given *g, InstId start, InsId fork)
{
	u32 asked = g->asked[pta_inst(g->p, start)->fn];

	for (u32 k = 1; asked >> k; k++)
		if (asked >> k & 1 && started_with(g, start, fork, k) != ANY)
			return true;
	return false;
}

void
given_reach(Given *g, InstId start, InsId fork, bool (*shuns)(void *ctx, u32 edge), void *ctx,
	    Set *insts, Set *skipped)
{
	Val *params;

	g->shuns = shuns;
	g->ctx = ctx;
	map_clear(&g->row);
	g->values.n = 0;
	params = params_of(g, start);
	for (u32 k = 1; params && k <= pta_fn(g->p, start)->nparam && k < TRACKED; k++)
		params[k] = started_with(g, start, fork, k);
	set_add(g->a, insts, start);
	vec_push(g->a, &g->todo, start);
	while (g->todo.n)
		look_at(g, g->todo.at[--g->todo.n], insts, skipped);
}

void
given_dead(Given *g, const Set *insts, Set *dead)
{
	SET_FOR (it, insts) {
		u32 n = pta_fn(g->p, it.x)->nblock;
		bool *live = live_in(g, it.x);
		for (BlockId b = 1; live && b <= n; b++)
			if (!live[b])
				set_add(g->a, dead, given_block(g, it.x, b));
		if (live)
			arena_recycle(g->a, live, (n + 1) * sizeof *live);
	}
}

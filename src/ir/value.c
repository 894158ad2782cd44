/* value.c - which numbers registers may hold, and what never runs.
 *
 * Conditional constant propagation (Wegman and Zadeck 1991) over the whole
 * program, with ranges for constants.  A register starts with no value, and a
 * block as one that does not run; root's entry does.  What runs is evaluated:
 * an instruction joins what its operands give to its result, a branch makes
 * those edges run that its condition allows, a phi joins what comes along edges
 * that run, a call hands its arguments to the parameters and goes on when the
 * function returns, with what it returns.  `assume` goes on unless its operand
 * is only 0.  A function whose address is used for anything but calls and forks
 * is called with any arguments, and so are methods, which are called by their
 * names.  Loads give what value_cell.c knows of their cells, else any number of
 * their width; so does everything that is not listed here, undefined values
 * among it.
 *
 * Ranges only grow, and after a few steps at once to all numbers of their
 * width; each growth looks again at the uses.  So it ends after a number of
 * steps linear in the size of the program.  Every value of every run is within
 * its range, and what some run reaches runs: by induction over the steps of
 * the run, whose other threads' stores are among those joined.
 *
 * value_fact.c then rules out further edges, and this is solved again with
 * these left out. */
#include "ir/value_int.h"

#include "ir/arith.h"
#include "ir/cfg.h"

#include <string.h>

enum { GROWS = 4, ARMS = 8 };

/* ---- operands ---------------------------------------------------------------- */

static Range
constant(const Values *v, Val x)
{
	const Const *c = ir_const(v->ir, x);

	switch (c->kind) {
	case CONST_INT:
		return c->width <= 64 ? range_one(arith_extend((u64)c->num, c->width))
				      : range_all(0);
	case CONST_NULL: return range_one(0);
	case CONST_GLOBAL: {
		u8 linkage = v->ir->globals.at[c->ref].linkage;
		Range all = range_all(0);
		/* a weak symbol that nobody defines is null */
		return range_make(all.lo, all.hi,
				  !c->num &&
				      (linkage == LINK_INTERNAL || linkage == LINK_EXTERNAL));
	}
	case CONST_FN: {
		Range all = range_all(0);
		return range_make(all.lo, all.hi, v->ir->fns.at[c->ref].nblock > 0);
	}
	default: return range_all(c->width);
	}
}

Range
value_get(const Values *v, const Fn *f, Val x)
{
	if (!x)
		return range_all(0);
	return val_is_const(x) ? constant(v, x) : v->val[f->reg + x];
}

FnId
value_callee(const Values *v, const Ins *i)
{
	u32 k = i->op == OP_FORK ? 1 : 0;
	Val x;

	if ((i->op != OP_CALL && i->op != OP_FORK) || i->sub == CALL_VIRTUAL || i->narg <= k)
		return 0;
	x = ins_arg(v->ir, i, k);
	if (!val_is_const(x) || ir_const(v->ir, x)->kind != CONST_FN)
		return 0;
	return v->ir->fns.at[ir_const(v->ir, x)->ref].nblock ? ir_const(v->ir, x)->ref : 0;
}

bool
value_edge(const Values *v, const Fn *f, BlockId p, BlockId b)
{
	const Block *from = fn_block(v->ir, f, p);

	if (!v->live[f->block + p - 1])
		return false;
	if (from->exc == b || from->nsucc > ARMS)
		return true;
	for (u32 k = 0; k < from->nsucc; k++)
		if (v->ir->succs.at[from->succ + k] == b && v->edge[from->succ + k] == EDGE_LIVE)
			return true;
	return false;
}

/* ---- instructions ------------------------------------------------------------- */

static Range
phi(const Values *v, const Fn *f, BlockId b, const Ins *i)
{
	Range r = range_none();

	for (u32 k = 0; k + 1 < i->narg; k += 2)
		if (value_edge(v, f, ins_arg(v->ir, i, k), b))
			r = range_join(r, value_get(v, f, ins_arg(v->ir, i, k + 1)));
	return r;
}

static Range
choose(Range c, Range yes, Range no)
{
	Range r = range_none();

	if (range_empty(c))
		return r;
	if (!range_is(c, 0))
		r = yes;
	return range_has(c, 0) ? range_join(r, no) : r;
}

Range
value_result(const Values *v, const Fn *f, BlockId b, const Ins *i)
{
	Range all = range_all(i->width), x[3];
	u32 k;

	if (!value_is_number(i->rt, i->width))
		return all;
	for (k = 0; i->op != OP_PHI && k < i->narg && k < COUNT(x); k++)
		x[k] = value_get(v, f, ins_arg(v->ir, i, k));
	switch (i->op) {
	case OP_COPY: return range_meet(x[0], all);
	case OP_PHI: return range_meet(phi(v, f, b, i), all);
	case OP_SELECT: return range_meet(choose(x[0], x[1], x[2]), all);
	case OP_CMP: return range_meet(range_cmp(i->sub, x[0], x[1], (u16)i->imm), all);
	case OP_BIN: return i->rt == RT_INT ? range_bin(i->sub, x[0], x[1], i->width) : all;
	case OP_CAST: return range_cast(i->sub, x[0], (u16)i->imm, i->width);
	case OP_LOAD: return (k = cell_of(v, f, i)) ? v->cells.at[k].range : all;
	case OP_CALL:
		k = i->sub == CALL_PLAIN ? value_callee(v, i) : 0;
		return k ? range_meet(v->result[k], all) : all;
	case OP_ALLOC: return i->sub == ALLOC_STACK ? range_make(all.lo, all.hi, true) : all;
	default: return all;
	}
}

static void
look_again(Values *v, const u32 *first, const u32 *list, u32 k)
{
	for (u32 u = first[k]; u < first[k + 1]; u++)
		vec_push(v->arena, &v->todo, list[u]);
}

/* Joins what is new to a register. */
static void
grow(Values *v, u32 reg, Range x, u16 width)
{
	Range old = v->val[reg], new = range_join(old, x), all = range_all(width);

	if (range_eq(old, new))
		return;
	if (v->grown[reg]++ >= GROWS)
		new = range_make(new.lo < old.lo ? all.lo : new.lo,
				 new.hi > old.hi ? all.hi : new.hi, false);
	if (v->grown[reg] > 2 * GROWS)
		new = all;
	v->val[reg] = new;
	look_again(v, v->use, v->uses, reg);
}

static void
enter(Values *v, u32 block)
{
	if (v->live[block])
		return;
	v->live[block] = 1;
	vec_push(v->arena, &v->blocks, block);
}

/* A call or fork: arguments from number k on become parameters. */
static void
hand_over(Values *v, const Fn *f, const Ins *i, FnId to, u32 k)
{
	const Fn *g = &v->ir->fns.at[to];

	enter(v, g->block);
	for (Val p = 1; !v->open[to] && p <= g->nparam; p++, k++) {
		const Reg *reg = fn_reg(v->ir, g, p);
		Range all = range_all(reg->width), x = all;
		if (k < i->narg && value_is_number(reg->rt, reg->width))
			x = range_meet(value_get(v, f, ins_arg(v->ir, i, k)), all);
		grow(v, g->reg + p, x, reg->width);
	}
}

static void
look_at_phis(Values *v, u32 block)
{
	const Block *b = &v->ir->blocks.at[block];

	for (u32 k = b->ins; k < b->ins + b->nins && ir_ins(v->ir, k)->op == OP_PHI; k++)
		vec_push(v->arena, &v->todo, k);
}

static void
take_edge(Values *v, const Fn *f, u32 place)
{
	u32 to = f->block + v->ir->succs.at[place] - 1;

	if (v->edge[place])
		return;
	v->edge[place] = EDGE_LIVE;
	enter(v, to);
	look_at_phis(v, to);
}

static void
branch(Values *v, const Fn *f, const Block *b, const Ins *i)
{
	Range c = i->narg ? value_get(v, f, ins_arg(v->ir, i, 0)) : range_all(0);
	bool other = true;

	if (i->op == OP_BR)
		take_edge(v, f, b->succ);
	if (i->op == OP_CBR && !range_empty(c)) {
		if (!range_is(c, 0))
			take_edge(v, f, b->succ);
		if (range_has(c, 0))
			take_edge(v, f, b->succ + 1);
	}
	if (i->op != OP_SWITCH || range_empty(c))
		return;
	for (u32 k = 1; k < i->narg; k++) {
		i64 n = ir_const(v->ir, ins_arg(v->ir, i, k))->num;
		if (range_has(c, n))
			take_edge(v, f, b->succ + k);
		if (range_is(c, n))
			other = false;
	}
	if (other)
		take_edge(v, f, b->succ);
}

static void
leave(Values *v, const Fn *f, FnId fn, const Ins *i)
{
	Range old = v->result[fn], new = old;

	if (i->narg && ins_arg(v->ir, i, 0))
		new = range_join(old, value_get(v, f, ins_arg(v->ir, i, 0)));
	if (v->returns[fn] && range_eq(old, new))
		return;
	if (!range_eq(old, new) && v->result_grown[fn]++ >= GROWS)
		new = range_all(0);
	v->returns[fn] = 1;
	v->result[fn] = new;
	look_again(v, v->call, v->calls, fn);
}

static void
put(Values *v, const Fn *f, const Ins *i)
{
	u32 k = i->op == OP_STORE ? cell_of(v, f, i) : 0;

	if (i->flags & INS_VOLATILE && i->op == OP_STORE) {
		Ins plain = *i;
		plain.flags &= (u8)~INS_VOLATILE;
		k = cell_of(v, f, &plain);
	}
	if (!k || !cell_join(&v->cells.at[k], range_meet(value_get(v, f, ins_arg(v->ir, i, 1)),
							 range_all(i->width))))
		return;
	for (u32 l = v->cells.at[k].load; l; l = v->loads.at[l].next)
		vec_push(v->arena, &v->todo, v->loads.at[l].ins);
}

/* Runs the instruction; false if nothing behind it does, as far as is known. */
static bool
step(Values *v, u32 block, InsId id)
{
	const Ins *i = ir_ins(v->ir, id);
	const Block *b = &v->ir->blocks.at[block];
	const Fn *f = values_fn(v, block);
	FnId to = value_callee(v, i);
	Range c;

	if (to)
		hand_over(v, f, i, to, i->op == OP_FORK ? 2 : 1);
	if (to && i->op == OP_CALL && i->sub == CALL_PLAIN && !v->returns[to])
		return false;
	if (i->op == OP_ASSUME) {
		c = value_get(v, f, ins_arg(v->ir, i, 0));
		return !range_empty(c) && !range_is(c, 0);
	}
	if (i->op == OP_STORE)
		put(v, f, i);
	else if (i->op == OP_RET)
		leave(v, f, v->fn_of[block], i);
	else if (op_is_terminator(i->op))
		branch(v, f, b, i);
	else if (i->dst)
		grow(v, f->reg + i->dst, value_result(v, f, block - f->block + 1, i), i->width);
	return true;
}

/* Goes on in the block where it stopped. */
static void
advance(Values *v, u32 block)
{
	const Block *b = &v->ir->blocks.at[block];

	while (v->stop[block] < b->nins && step(v, block, b->ins + v->stop[block]) &&
	       v->stop[block] < v->cut[block])
		v->stop[block]++;
}

static void
visit(Values *v, InsId i)
{
	u32 block = v->block_of[i], at = i - v->ir->blocks.at[block].ins;

	if (!v->live[block] || at > v->stop[block])
		return;
	if (at == v->stop[block])
		advance(v, block);
	else
		step(v, block, i);
}

/* ---- the program --------------------------------------------------------------- */

/* Blocks and instructions know where they are. */
static void
find_places(Values *v)
{
	const Ir *ir = v->ir;

	v->fn_of = arena_array(v->arena, FnId, ir->blocks.n);
	v->block_of = arena_array(v->arena, u32, ir->ins.n);
	for (FnId f = 1; f < ir->fns.n; f++)
		for (u32 b = ir->fns.at[f].block; b < ir->fns.at[f].block + ir->fns.at[f].nblock;
		     b++) {
			const Block *block = &ir->blocks.at[b];
			v->fn_of[b] = f;
			for (InsId i = block->ins; i < block->ins + block->nins; i++)
				v->block_of[i] = b;
		}
}

typedef void Visit(Values *v, u32 key, InsId i, u32 *fill);

/* Calls visit for each register that an instruction uses. */
static void
each_use(Values *v, Visit *visit_use, u32 *fill)
{
	const Ir *ir = v->ir;

	for (InsId id = 1; id < ir->ins.n; id++) {
		const Ins *i = ir_ins(ir, id);
		const Fn *f;
		if (!v->block_of[id])
			continue;
		f = values_fn(v, v->block_of[id]);
		for (u32 k = i->op == OP_PHI ? 1 : 0; k < i->narg; k += i->op == OP_PHI ? 2 : 1)
			if (val_is_reg(ins_arg(ir, i, k)))
				visit_use(v, f->reg + ins_arg(ir, i, k), id, fill);
	}
}

static void
each_call(Values *v, Visit *visit_call, u32 *fill)
{
	for (InsId id = 1; id < v->ir->ins.n; id++) {
		const Ins *i = ir_ins(v->ir, id);
		FnId to = i->op == OP_CALL && i->sub == CALL_PLAIN ? value_callee(v, i) : 0;
		if (to && v->block_of[id])
			visit_call(v, to, id, fill);
	}
}

static void
count_use(Values *v, u32 key, InsId i, u32 *fill)
{
	(void)i, (void)fill;
	v->use[key + 1]++;
}

static void
note_use(Values *v, u32 key, InsId i, u32 *fill)
{
	v->uses[v->use[key] + fill[key]++] = i;
}

static void
count_call(Values *v, u32 key, InsId i, u32 *fill)
{
	(void)i, (void)fill;
	v->call[key + 1]++;
}

static void
note_call(Values *v, u32 key, InsId i, u32 *fill)
{
	v->calls[v->call[key] + fill[key]++] = i;
}

static void
add_up(u32 *first, u32 n)
{
	for (u32 k = 1; k < n; k++)
		first[k] += first[k - 1];
}

static void
find_uses(Values *v)
{
	u32 nreg = v->ir->regs.n + 1, nfn = v->ir->fns.n;
	u32 *fill;

	v->use = arena_array(v->arena, u32, nreg + 1);
	each_use(v, count_use, NULL);
	add_up(v->use, nreg + 1);
	v->uses = arena_array(v->arena, u32, v->use[nreg] + 1);
	fill = arena_array(v->arena, u32, MAX(nreg, nfn) + 1);
	each_use(v, note_use, fill);
	memset(fill, 0, (MAX(nreg, nfn) + 1) * sizeof *fill);
	v->call = arena_array(v->arena, u32, nfn + 2);
	each_call(v, count_call, NULL);
	add_up(v->call, nfn + 1);
	v->calls = arena_array(v->arena, u32, v->call[nfn] + 1);
	each_call(v, note_call, fill);
}

static void
open_address(Values *v, Val x)
{
	if (val_is_const(x) && ir_const(v->ir, x)->kind == CONST_FN)
		v->open[ir_const(v->ir, x)->ref] = 1;
}

/* Functions that are called with arguments which are not seen. */
static void
find_open(Values *v)
{
	const Ir *ir = v->ir;

	v->open = arena_array(v->arena, u8, ir->fns.n);
	for (FnId f = 1; f < ir->fns.n; f++) {
		const Fn *fn = &ir->fns.at[f];
		bool named = fn->flags & (FN_STATIC | FN_CONSTRUCTOR); /* where it is called */
		if ((fn->class && !named) || fn->flags & (FN_VARIADIC | FN_CINIT))
			v->open[f] = 1;
		if (fn->alias)
			v->open[f] = v->open[fn->alias] = 1;
	}
	for (u32 k = 1; k < ir->inits.n; k++)
		open_address(v, ir->inits.at[k].val);
	for (InsId id = 1; id < ir->ins.n; id++) {
		const Ins *i = ir_ins(ir, id);
		bool direct = value_callee(v, i) != 0;
		for (u32 k = i->op == OP_PHI ? 1 : 0; k < i->narg; k += i->op == OP_PHI ? 2 : 1)
			if (!direct || k != (i->op == OP_FORK ? 1u : 0u))
				open_address(v, ins_arg(ir, i, k));
	}
}

/* Nothing is known of parameters yet. */
static void
pass_all(Values *v)
{
	u32 n = 0;

	v->param = arena_array(v->arena, u32, v->ir->fns.n);
	for (FnId f = 1; f < v->ir->fns.n; f++) {
		v->param[f] = n;
		n += v->ir->fns.at[f].nparam;
	}
	v->passed = arena_array(v->arena, Range, n + 1);
	for (u32 k = 0; k < n; k++)
		v->passed[k] = range_all(0);
}

void
values_init(Values *v, Arena *a, const Ir *ir, FnId root, const PruneOptions *opt)
{
	*v = (Values){.ir = ir, .arena = a, .root = root, .opt = *opt};
	find_places(v);
	find_uses(v);
	find_open(v);
	cells_find(v);
	fields_find(v);
	v->val = arena_array(a, Range, ir->regs.n + 1);
	v->grown = arena_array(a, u8, ir->regs.n + 1);
	v->live = arena_array(a, u8, ir->blocks.n);
	v->stop = arena_array(a, u32, ir->blocks.n);
	v->cut = arena_array(a, u32, ir->blocks.n);
	memset(v->cut, 255, ir->blocks.n * sizeof *v->cut);
	v->edge = arena_array(a, u8, ir->succs.n + 1);
	v->returns = arena_array(a, u8, ir->fns.n);
	v->result_grown = arena_array(a, u8, ir->fns.n);
	v->result = arena_array(a, Range, ir->fns.n);
	pass_all(v);
}

static void
reset(Values *v)
{
	const Ir *ir = v->ir;

	for (u32 r = 0; r <= ir->regs.n; r++)
		v->val[r] = range_none();
	memset(v->grown, 0, ir->regs.n + 1);
	memset(v->live, 0, ir->blocks.n);
	memset(v->stop, 0, ir->blocks.n * sizeof *v->stop);
	memset(v->returns, 0, ir->fns.n);
	memset(v->result_grown, 0, ir->fns.n);
	for (u32 k = 0; k < ir->succs.n; k++)
		v->edge[k] &= EDGE_NEVER;
	for (FnId f = 0; f < ir->fns.n; f++)
		v->result[f] = range_none();
	cells_reset(v);
}

static void
start(Values *v, FnId f)
{
	const Fn *fn = &v->ir->fns.at[f];

	if (!fn->nblock)
		return;
	for (Val p = 1; p <= fn->nparam; p++)
		v->val[fn->reg + p] = range_all(fn_reg(v->ir, fn, p)->width);
	enter(v, fn->block);
}

void
values_solve(Values *v)
{
	reset(v);
	for (FnId f = 1; f < v->ir->fns.n; f++)
		if (v->open[f] || f == v->root)
			start(v, f);
	while (v->blocks.n || v->todo.n)
		if (v->todo.n) {
			visit(v, v->todo.at[--v->todo.n]);
		} else {
			u32 b = v->blocks.at[--v->blocks.n];
			const Fn *f = values_fn(v, b);
			BlockId exc = v->ir->blocks.at[b].exc;
			if (exc) {
				enter(v, f->block + exc - 1);
				look_at_phis(v, f->block + exc - 1);
			}
			advance(v, b);
		}
}

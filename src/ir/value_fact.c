/* value_fact.c - what the conditions that were passed say.
 *
 * A function's blocks are walked down the tree of dominators.  The condition of
 * a branch narrows the ranges of the registers that it was computed from in
 * everything that its edge dominates, an `assume` in everything behind it, and a
 * call does for its arguments what the function's own conditions do for its
 * parameters wherever it returns (`passed`).  Instructions are evaluated again
 * with the narrowed ranges.  On the way back the ranges are as before.
 *
 * A narrowed range holds wherever it is used: between the definition of a
 * register and a block that the narrowing block dominates, a run passes the
 * latter after the former.  A branch whose condition is then certain never
 * takes its other edges; where a range becomes empty nothing is reached.  What is
 * one number at the end of a block is that number in the phis behind it.
 * Each block is walked once, so it is linear but for the dominators. */
#include "ir/value_int.h"

#include "ir/cfg.h"

enum { DEPTH = 8, SMALL = 16, BATCH = 4096, ARMS = 16 };

typedef struct Change {
	u32 reg;
	Range old;
} Change;

typedef struct Facts {
	Values *v;
	Arena scratch;
	const Fn *fn;
	Graph succ, pred;
	Doms dom;
	Vec(Change) log;
	bool never; /* what was assumed last cannot be */
} Facts;

static void follow(Facts *x, Val val, bool truth, u32 depth);

static const Ins *
definition(const Facts *x, Val val)
{
	InsId def = val_is_reg(val) ? fn_reg(x->v->ir, x->fn, val)->def : 0;

	return def ? ir_ins(x->v->ir, def) : NULL;
}

static Range
get(const Facts *x, Val val)
{
	return value_get(x->v, x->fn, val);
}

/* val is in r from here on, and so is what it was converted from. */
static void
narrow(Facts *x, Val val, Range r, u32 depth)
{
	Range old = get(x, val), new = range_meet(old, r);
	const Ins *def = definition(x, val);

	if (range_empty(new))
		x->never = true;
	if (!val_is_reg(val) || range_eq(old, new) || range_empty(old))
		return;
	vec_push(&x->scratch, &x->log, (Change){x->fn->reg + val, old});
	x->v->val[x->fn->reg + val] = new;
	if (!def || depth >= DEPTH)
		return;
	if (def->op == OP_COPY || (def->op == OP_CAST && def->sub == CAST_SEXT))
		narrow(x, ins_arg(x->v->ir, def, 0), new, depth + 1);
	if (def->op == OP_CAST && def->sub == CAST_ZEXT && new.lo >= 0 &&
	    new.hi <= range_all((u16)def->imm).hi)
		narrow(x, ins_arg(x->v->ir, def, 0), new, depth + 1);
	if (def->op == OP_BIN && def->sub == BIN_ADD &&
	    range_single(get(x, ins_arg(x->v->ir, def, 1))))
		narrow(x, ins_arg(x->v->ir, def, 0),
		       range_bin(BIN_SUB, new, get(x, ins_arg(x->v->ir, def, 1)), def->width),
		       depth + 1);
}

/* ---- conditions ----------------------------------------------------------------- */

static void
follow_cmp(Facts *x, const Ins *i, bool truth, u32 depth)
{
	Val a = ins_arg(x->v->ir, i, 0), b = ins_arg(x->v->ir, i, 1);
	Range ra = get(x, a), rb = get(x, b);

	if (i->sub == CMP_FLOAT)
		return;
	narrow(x, a, range_where(i->sub, truth, ra, rb, (u16)i->imm), depth);
	narrow(x, b, range_where(range_swapped(i->sub), truth, rb, ra, (u16)i->imm), depth);
	if ((i->sub == CMP_EQ || i->sub == CMP_NE) && range_is(rb, 0))
		follow(x, a, truth == (i->sub == CMP_NE), depth + 1);
}

static void
follow_bin(Facts *x, const Ins *i, bool truth, u32 depth)
{
	Val a = ins_arg(x->v->ir, i, 0), b = ins_arg(x->v->ir, i, 1);

	if ((i->sub == BIN_AND && truth) || (i->sub == BIN_OR && !truth)) {
		follow(x, a, truth, depth);
		follow(x, b, truth, depth);
	}
	if (i->sub == BIN_XOR && i->width == 1 && range_is(get(x, b), -1))
		follow(x, a, !truth, depth);
}

static void
follow_select(Facts *x, const Ins *i, bool truth, u32 depth)
{
	Val c = ins_arg(x->v->ir, i, 0);
	bool yes = truth ? !range_is(get(x, ins_arg(x->v->ir, i, 1)), 0)
			 : range_has(get(x, ins_arg(x->v->ir, i, 1)), 0);
	bool no = truth ? !range_is(get(x, ins_arg(x->v->ir, i, 2)), 0)
			: range_has(get(x, ins_arg(x->v->ir, i, 2)), 0);

	if (!yes && !no)
		x->never = true;
	if (yes == no)
		return;
	follow(x, c, yes, depth);
	follow(x, ins_arg(x->v->ir, i, yes ? 1 : 2), truth, depth);
}

/* The condition of the edge from p to b, if there is just that one into b. */
static void
follow_edge(Facts *x, BlockId p, BlockId b, u32 depth)
{
	const Ir *ir = x->v->ir;
	const Block *from = fn_block(ir, x->fn, p);
	const Ins *last = ir_ins(ir, from->ins + from->nins - 1);
	u32 n = 0, at = 0;

	if (from->exc == b || x->v->stop[x->fn->block + p - 1] < from->nins)
		return;
	for (u32 k = 0; k < from->nsucc; k++)
		if (ir->succs.at[from->succ + k] == b && x->v->edge[from->succ + k] == EDGE_LIVE) {
			n++;
			at = k;
		}
	if (n != 1)
		return;
	if (last->op == OP_CBR)
		follow(x, ins_arg(ir, last, 0), at == 0, depth);
	if (last->op == OP_SWITCH && at)
		narrow(x, ins_arg(ir, last, 0), get(x, ins_arg(ir, last, at)), depth);
	for (u32 k = 1; last->op == OP_SWITCH && !at && k < last->narg && k < DEPTH; k++)
		narrow(x, ins_arg(ir, last, 0),
		       range_where(CMP_NE, true, get(x, ins_arg(ir, last, 0)),
				   get(x, ins_arg(ir, last, k)), 64),
		       depth);
}

/* The only live predecessor of b; 0 if there are none or more. */
static BlockId
only_pred(const Facts *x, BlockId b)
{
	const Graph *g = &x->pred;

	return g->first[b + 1] - g->first[b] == 1 ? g->to[g->first[b]] : 0;
}

/* Where only one arm can have given the truth, control came along it.  If that
 * is an edge back, the registers there are an earlier round's. */
static void
follow_phi(Facts *x, BlockId b, const Ins *i, bool truth, u32 depth)
{
	u32 n = 0, at = 0;

	for (u32 k = 0; k + 1 < i->narg; k += 2) {
		Range r = get(x, ins_arg(x->v->ir, i, k + 1));
		if (!value_edge(x->v, x->fn, ins_arg(x->v->ir, i, k), b) ||
		    (truth ? range_is(r, 0) : !range_has(r, 0)))
			continue;
		n++;
		at = k;
	}
	x->never |= !n;
	if (n != 1 || doms_has(&x->dom, b, ins_arg(x->v->ir, i, at)))
		return;
	for (BlockId p = ins_arg(x->v->ir, i, at), q; depth < DEPTH && (q = only_pred(x, p)); p = q)
		follow_edge(x, q, p, ++depth);
	follow_edge(x, ins_arg(x->v->ir, i, at), b, depth);
	follow(x, ins_arg(x->v->ir, i, at + 1), truth, depth);
}

/* val is 0, or is not, from here on. */
static void
follow(Facts *x, Val val, bool truth, u32 depth)
{
	const Ins *i = definition(x, val);
	Range old = get(x, val);
	InsId def;

	narrow(x, val, truth ? range_make(INT64_MIN, INT64_MAX, true) : range_one(0), depth);
	if (!i || depth >= DEPTH || x->never)
		return;
	def = fn_reg(x->v->ir, x->fn, val)->def;
	switch (i->op) {
	case OP_COPY: follow(x, ins_arg(x->v->ir, i, 0), truth, depth + 1); break;
	case OP_CAST:
		old = get(x, ins_arg(x->v->ir, i, 0));
		if (i->sub == CAST_ZEXT || i->sub == CAST_SEXT ||
		    (i->sub == CAST_TRUNC && (truth || (old.lo >= 0 && old.hi <= 1))))
			follow(x, ins_arg(x->v->ir, i, 0), truth, depth + 1);
		break;
	case OP_CMP: follow_cmp(x, i, truth, depth + 1); break;
	case OP_BIN: follow_bin(x, i, truth, depth + 1); break;
	case OP_SELECT: follow_select(x, i, truth, depth + 1); break;
	case OP_PHI:
		follow_phi(x, x->v->block_of[def] - x->fn->block + 1, i, truth, depth + 1);
		break;
	default: break;
	}
}

/* ---- the walk -------------------------------------------------------------------- */

static void
never_taken(Facts *x, u32 place)
{
	if (x->v->edge[place] != EDGE_LIVE)
		return;
	x->v->edge[place] = EDGE_NEVER;
	x->v->found = true;
}

static void
judge_branch(Facts *x, const Block *b, const Ins *i)
{
	Range c = i->narg ? get(x, ins_arg(x->v->ir, i, 0)) : range_none();

	if (range_empty(c))
		return;
	if (i->op == OP_CBR) {
		if (range_is(c, 0))
			never_taken(x, b->succ);
		if (!range_has(c, 0))
			never_taken(x, b->succ + 1);
	}
	for (u32 k = 1; i->op == OP_SWITCH && k < i->narg; k++) {
		i64 n = ir_const(x->v->ir, ins_arg(x->v->ir, i, k))->num;
		if (!range_has(c, n))
			never_taken(x, b->succ + k);
		if (range_is(c, n))
			never_taken(x, b->succ);
	}
}

/* What a call that returned says of its arguments. */
static void
follow_call(Facts *x, const Ins *i)
{
	FnId to = i->op == OP_CALL && i->sub == CALL_PLAIN ? value_callee(x->v, i) : 0;
	const Fn *g = &x->v->ir->fns.at[to];

	for (Val p = 1; to && p <= g->nparam && p < i->narg && p <= DEPTH; p++) {
		Val arg = ins_arg(x->v->ir, i, p);
		Range r = x->v->passed[x->v->param[to] + p - 1];
		if (range_eq(r, range_all(0)))
			continue;
		narrow(x, arg, r, 0);
		if (!range_has(r, 0))
			follow(x, arg, true, 0);
		else if (range_is(r, 0))
			follow(x, arg, false, 0);
	}
}

static void
join_passed(Facts *x, Range *passed)
{
	for (Val p = 1; p <= x->fn->nparam && p <= DEPTH; p++)
		passed[p - 1] = range_join(passed[p - 1], get(x, p));
}

/* Nothing behind instruction number at of the block is reached. */
static void
cut(Facts *x, u32 block, u32 at)
{
	x->v->cut[block] = at;
	x->v->found = true;
}

/* The operands that come from b to the phis of block `to` and are one number there. */
static void
note_arms(Facts *x, BlockId b, BlockId to)
{
	const Ir *ir = x->v->ir;
	const Block *bl = fn_block(ir, x->fn, to);

	for (u32 k = 0; k < bl->nins && ir_ins(ir, bl->ins + k)->op == OP_PHI; k++) {
		const Ins *phi = ir_ins(ir, bl->ins + k);
		for (u32 i = 0; i + 1 < phi->narg && phi->narg <= 2 * ARMS; i += 2) {
			Val val = ins_arg(ir, phi, i + 1);
			u32 *at;
			if (ins_arg(ir, phi, i) != b || !val_is_reg(val) || phi->rt != RT_INT ||
			    !value_is_number(phi->rt, phi->width) || range_empty(get(x, val)) ||
			    !range_single(get(x, val)))
				continue;
			at = map_at(x->v->arena, &x->v->arm_of, phi->arg + i + 1);
			if (*at)
				continue;
			vec_push(x->v->arena, &x->v->arms, get(x, val).lo);
			*at = x->v->arms.n;
		}
	}
}

/* Walks through a block; false if its end is not reached. */
static bool
walk_block(Facts *x, BlockId b, Range *passed)
{
	u32 block = x->fn->block + b - 1;
	const Block *bl = &x->v->ir->blocks.at[block];

	for (u32 k = 0; k < x->v->stop[block]; k++) {
		const Ins *i = ir_ins(x->v->ir, bl->ins + k);
		if (i->op == OP_ASSUME)
			follow(x, ins_arg(x->v->ir, i, 0), true, 0);
		else if (i->op == OP_CALL)
			follow_call(x, i);
		else if (i->op == OP_RET)
			join_passed(x, passed);
		else if (op_is_terminator(i->op))
			judge_branch(x, bl, i);
		else if (i->dst && i->op != OP_PHI && value_is_number(i->rt, i->width))
			narrow(x, i->dst, value_result(x->v, x->fn, b, i), DEPTH);
		if (x->never) {
			cut(x, block, k);
			return false;
		}
	}
	for (u32 k = 0; k < bl->nsucc && x->v->stop[block] == bl->nins; k++)
		note_arms(x, b, x->v->ir->succs.at[bl->succ + k]);
	return x->v->stop[block] == bl->nins;
}

static void
undo(Facts *x, u32 to)
{
	while (x->log.n > to) {
		x->log.n--;
		x->v->val[x->log.at[x->log.n].reg] = x->log.at[x->log.n].old;
	}
}

/* Enters b from its only predecessor; false if that cannot be. */
static bool
enter(Facts *x, BlockId b)
{
	BlockId p = only_pred(x, b);

	if (p)
		follow_edge(x, p, b, 0);
	if (!x->never)
		return true;
	for (u32 k = 0; k < fn_block(x->v->ir, x->fn, p)->nsucc; k++)
		if (x->v->ir->succs.at[fn_block(x->v->ir, x->fn, p)->succ + k] == b)
			never_taken(x, fn_block(x->v->ir, x->fn, p)->succ + k);
	return false;
}

/* The blocks in preorder of the dominators' tree, with what to undo behind them. */
static void
walk_tree(Facts *x, Range *passed)
{
	typedef struct Level {
		u32 leave, log;
	} Level;
	Vec(Level) levels = {0};
	u32 n = x->fn->nblock;
	BlockId *order = arena_array(&x->scratch, BlockId, n + 2);
	u32 skip = 0;

	for (BlockId b = 1; b <= n; b++)
		if (x->dom.enter[b])
			order[x->dom.enter[b]] = b;
	for (u32 e = 1; e <= n && order[e]; e++) {
		BlockId b = order[e];
		while (levels.n && levels.at[levels.n - 1].leave <= e)
			undo(x, levels.at[--levels.n].log);
		if (e < skip)
			continue;
		vec_push(&x->scratch, &levels, (Level){x->dom.leave[b], x->log.n});
		x->never = false;
		if (!enter(x, b) || !walk_block(x, b, passed))
			skip = x->dom.leave[b];
	}
	undo(x, 0);
}

/* The edges that run. */
static void
build_graph(Facts *x)
{
	Values *v = x->v;
	Vec(Arc) arcs = {0};
	u32 *mark = arena_array(&x->scratch, u32, x->fn->nblock + 1);

	for (BlockId b = 1; b <= x->fn->nblock; b++) {
		const Block *block = fn_block(v->ir, x->fn, b);
		for (u32 k = 0; k <= block->nsucc && v->live[x->fn->block + b - 1]; k++) {
			BlockId to =
			    k < block->nsucc ? v->ir->succs.at[block->succ + k] : block->exc;
			if (!to || mark[to] == b ||
			    (k < block->nsucc && v->edge[block->succ + k] != EDGE_LIVE))
				continue;
			mark[to] = b;
			vec_push(&x->scratch, &arcs, (Arc){b, to});
		}
	}
	graph_build(&x->succ, &x->scratch, x->fn->nblock + 1, arcs.at, arcs.n);
	graph_reverse(&x->pred, &x->scratch, &x->succ);
	doms_build(&x->dom, &x->scratch, &x->scratch, &x->succ, &x->pred, 1);
}

static void
refine_fn(Facts *x, FnId f)
{
	Values *v = x->v;
	Range passed[DEPTH];

	x->fn = &v->ir->fns.at[f];
	for (u32 k = 0; k < DEPTH; k++)
		passed[k] = range_none();
	build_graph(x);
	walk_tree(x, passed);
	for (Val p = 1; v->returns[f] && p <= x->fn->nparam && p <= DEPTH; p++)
		if (!range_empty(passed[p - 1]))
			v->passed[v->param[f] + p - 1] = passed[p - 1];
}

/* Are there parameters with which it does not return? */
static bool
is_picky(const Values *v, FnId f)
{
	const Fn *fn = &v->ir->fns.at[f];

	if (fn->nblock > SMALL || !fn->nparam || !v->returns[f])
		return false;
	for (u32 b = fn->block; b < fn->block + fn->nblock; b++) {
		const Block *block = &v->ir->blocks.at[b];
		u8 last = ir_ins(v->ir, block->ins + block->nins - 1)->op;
		if (v->live[b] && (v->stop[b] < block->nins || last > OP_RET))
			return true;
	}
	return false;
}

void
values_refine(Values *v)
{
	Facts x = {.v = v};
	u32 blocks = 0;

	v->found = false;
	arena_init(&x.scratch, v->arena->budget);
	for (u32 first = 2; first-- > 0;) /* what callers want to know comes first */
		for (FnId f = 1; f < v->ir->fns.n && !arena_exceeded(v->arena); f++) {
			const Fn *fn = &v->ir->fns.at[f];
			if (!fn->nblock || !v->live[fn->block] ||
			    (first ? !is_picky(v, f) : fn->nblock < 2))
				continue;
			refine_fn(&x, f);
			blocks += fn->nblock;
			if (blocks < BATCH)
				continue;
			blocks = 0;
			arena_release(&x.scratch);
			x.log.at = NULL;
			x.log.n = x.log.cap = 0;
		}
	arena_release(&x.scratch);
}

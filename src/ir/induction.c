/* induction.c - see induction.h.
 *
 * Only what SSA form shows directly is recognised: a phi of the header, an
 * addition of a constant, to a number or an address, one comparison in a conditional branch that leaves
 * the loop and is passed in every iteration.  A bound that is loaded in the
 * loop may change, so it is none unless who asks knows better. */
#include "ir/induction.h"

static const Ins *
def_of(const Cfg *c, Val v)
{
	InsId def = val_is_reg(v) ? fn_reg(c->ir, c->fn, v)->def : 0;

	return def ? ir_ins(c->ir, def) : NULL;
}

/* Is v computed outside the loop, or from what is? */
static bool
is_invariant(const Cfg *c, u32 loop, Val v, u32 depth)
{
	InsId def = val_is_reg(v) ? fn_reg(c->ir, c->fn, v)->def : 0;
	const Ins *i = def ? ir_ins(c->ir, def) : NULL;

	if (!i || !cfg_loop_has(c, loop, cfg_block_of(c->ir, c->fn, def)))
		return v != 0;
	if (depth > 4 || (i->op != OP_COPY && i->op != OP_CAST && i->op != OP_BIN &&
			  i->op != OP_FIELD && i->op != OP_INDEX))
		return false;
	for (u32 k = 0; k < i->narg; k++)
		if (!is_invariant(c, loop, ins_arg(c->ir, i, k), depth + 1))
			return false;
	return true;
}

bool
loop_invariant(const Cfg *c, u32 loop, Val v)
{
	return is_invariant(c, loop, v, 0);
}

/* The constant that v adds to phi, 0 if it is not such an addition. */
static i64
step_of(const Cfg *c, Val v, Val phi)
{
	const Ins *i = def_of(c, v);
	const Const *k;
	Val x, y;

	if (i && i->op == OP_FIELD && i->sub != 1 && ins_arg(c->ir, i, 0) == phi)
		return i->imm;
	if (!i || i->op != OP_BIN || (i->sub != BIN_ADD && i->sub != BIN_SUB))
		return 0;
	x = ins_arg(c->ir, i, 0);
	y = ins_arg(c->ir, i, 1);
	if (i->sub == BIN_ADD && y == phi) {
		y = x;
		x = phi;
	}
	if (x != phi || !val_is_const(y))
		return 0;
	k = ir_const(c->ir, y);
	if (k->kind != CONST_INT || k->num == INT64_MIN)
		return 0;
	return i->sub == BIN_ADD ? k->num : -k->num;
}

bool
loop_iv(const Cfg *c, u32 loop, Val phi, Iv *iv)
{
	const Ins *i = def_of(c, phi);
	Iv v = {.phi = phi};

	if (!i || i->op != OP_PHI || c->loops[loop].irreducible ||
	    cfg_block_of(c->ir, c->fn, fn_reg(c->ir, c->fn, phi)->def) != c->loops[loop].header)
		return false;
	v.width = i->width;
	v.address = fn_reg(c->ir, c->fn, phi)->rt == RT_PTR;
	for (u32 k = 0; k < i->narg; k += 2) {
		BlockId from = ins_arg(c->ir, i, k);
		Val *place = cfg_loop_has(c, loop, from) ? &v.next : &v.init;
		Val val = ins_arg(c->ir, i, k + 1);
		if (!c->rank[from])
			continue;
		if (*place && *place != val)
			return false;
		*place = val;
	}
	v.step = v.init && v.next ? step_of(c, v.next, phi) : 0;
	if (iv)
		*iv = v;
	return v.step != 0;
}

static CmpPred
negated(CmpPred p)
{
	static const u8 not[CMP_COUNT] = {
	    [CMP_EQ] = CMP_NE,   [CMP_NE] = CMP_EQ,   [CMP_UGT] = CMP_ULE,     [CMP_UGE] = CMP_ULT,
	    [CMP_ULT] = CMP_UGE, [CMP_ULE] = CMP_UGT, [CMP_SGT] = CMP_SLE,     [CMP_SGE] = CMP_SLT,
	    [CMP_SLT] = CMP_SGE, [CMP_SLE] = CMP_SGT, [CMP_FLOAT] = CMP_FLOAT,
	};

	return (CmpPred) not[p];
}

/* x p y is y swapped(p) x. */
static CmpPred
swapped(CmpPred p)
{
	static const u8 other[CMP_COUNT] = {
	    [CMP_EQ] = CMP_EQ,   [CMP_NE] = CMP_NE,   [CMP_UGT] = CMP_ULT,     [CMP_UGE] = CMP_ULE,
	    [CMP_ULT] = CMP_UGT, [CMP_ULE] = CMP_UGE, [CMP_SGT] = CMP_SLT,     [CMP_SGE] = CMP_SLE,
	    [CMP_SLT] = CMP_SGT, [CMP_SLE] = CMP_SGE, [CMP_FLOAT] = CMP_FLOAT,
	};

	return (CmpPred)other[p];
}

/* The phi of the loop's header that v is, or is one step ahead of. */
static bool
match_tested(const Cfg *c, u32 loop, Val v, Counter *out)
{
	const Ins *i = def_of(c, v);
	Val other;

	out->tested = v;
	out->extended = i && i->op == OP_CAST && (i->sub == CAST_SEXT || i->sub == CAST_ZEXT);
	if (out->extended) {
		v = ins_arg(c->ir, i, 0);
		i = def_of(c, v);
	}
	out->after_step = false;
	if (loop_iv(c, loop, v, &out->iv))
		return true;
	if (!i || (i->op != OP_BIN && i->op != OP_FIELD))
		return false;
	out->after_step = true;
	for (u32 k = 0; k < i->narg; k++) {
		other = ins_arg(c->ir, i, k);
		if (loop_iv(c, loop, other, &out->iv) && out->iv.next == v)
			return true;
	}
	return false;
}

/* Is b passed in every iteration that goes on? */
static bool
is_in_every_iteration(const Cfg *c, u32 loop, BlockId b)
{
	GRAPH_FOR (p, &c->pred, c->loops[loop].header)
		if (cfg_loop_has(c, loop, *p) && !cfg_dominates(c, b, *p))
			return false;
	return true;
}

static bool
match_exit(const Cfg *c, u32 loop, Arc exit, SameFn same, void *ctx, Counter *out)
{
	const Block *b = fn_block(c->ir, c->fn, exit.from);
	const Ins *last = ir_ins(c->ir, b->ins + b->nins - 1), *cmp;
	const BlockId *succ = c->ir->succs.at + b->succ;
	CmpPred pred;

	if (last->op != OP_CBR || succ[0] == succ[1] || exit.to == b->exc ||
	    !is_in_every_iteration(c, loop, exit.from))
		return false;
	cmp = def_of(c, ins_arg(c->ir, last, 0));
	if (!cmp || cmp->op != OP_CMP || cmp->sub == CMP_FLOAT)
		return false;
	if (!cfg_loop_has(c, loop, succ[succ[0] == exit.to]))
		return false; /* both ways leave */
	pred = succ[0] == exit.to ? negated(cmp->sub) : cmp->sub;
	for (u32 k = 0; k < 2; k++) {
		out->bound = ins_arg(c->ir, cmp, 1 - k);
		out->pred = k ? swapped(pred) : pred;
		if ((loop_invariant(c, loop, out->bound) || (same && same(ctx, out->bound))) &&
		    match_tested(c, loop, ins_arg(c->ir, cmp, k), out))
			break;
		if (k)
			return false;
	}
	out->test = exit.from;
	out->exit = exit.to;
	return true;
}

bool
loop_first_iv(const Cfg *c, u32 loop, Iv *iv)
{
	const Block *b = fn_block(c->ir, c->fn, c->loops[loop].header);

	for (InsId i = b->ins; i < b->ins + b->nins && ir_ins(c->ir, i)->op == OP_PHI; i++)
		if (loop_iv(c, loop, ir_ins(c->ir, i)->dst, iv))
			return true;
	return false;
}

bool
loop_counter(const Cfg *c, u32 loop, Counter *out)
{
	return loop_counter_if(c, loop, NULL, NULL, out);
}

bool
loop_counter_if(const Cfg *c, u32 loop, SameFn same, void *ctx, Counter *out)
{
	const Loop *l = &c->loops[loop];

	for (u32 k = 0; k < l->nexit && !l->irreducible; k++) {
		*out = (Counter){0};
		if (match_exit(c, loop, c->loop_exits[l->exit + k], same, ctx, out)) {
			out->only_exit = l->nexit == 1;
			return true;
		}
	}
	return false;
}

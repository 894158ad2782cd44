/* order_walk.c - which elements of an array a loop comes to.
 *
 *	for (i = 0; i < n; i++) ... h[i] ...
 *	while (n-- > 0) ... h[n] ...
 *	for (p = h; p < h + n; p++) ... *p ...
 *
 * each come to those from 0 to n - 1, whichever way round.  The index is a
 * counter of the loop and a constant, or an address that walks; the limits are
 * values and constants, read off the test that ends the loop.  An index that
 * is not tested itself goes up to where it is at the end: in a loop that forks
 * it may count only the forks that did not fail. */
#include "conc/order_loop.h"

#include "conc/sign.h"

enum { DEPTH = 4, FAR = 1 << 30 };

/* The value behind copies and width changes. */
Val
batch_strip(const Ir *ir, const Fn *fn, Val v)
{
	while (val_is_reg(v) && fn_reg(ir, fn, v)->def) {
		const Ins *def = ir_ins(ir, fn_reg(ir, fn, v)->def);
		if (def->op != OP_COPY && def->op != OP_CAST)
			break;
		v = ins_arg(ir, def, 0);
	}
	return v;
}

const Ins *
batch_def(const Ir *ir, const Fn *fn, Val v)
{
	v = batch_strip(ir, fn, v);
	return val_is_reg(v) && fn_reg(ir, fn, v)->def ? ir_ins(ir, fn_reg(ir, fn, v)->def) : NULL;
}

/* What addr is so many bytes behind. */
static const Ins *
peel(const Cfg *cfg, Val addr, i64 *off)
{
	const Ins *def = batch_def(cfg->ir, cfg->fn, addr);

	for (*off = 0; def && def->op == OP_FIELD && def->sub != 1;) {
		*off += def->imm;
		def = batch_def(cfg->ir, cfg->fn, ins_arg(cfg->ir, def, 0));
	}
	return def;
}

static bool makes_anew(const Pta *p, InstId inst, u32 depth);

/* Is v, in inst, null or an object that v's own definition makes? */
static bool
new_value(const Pta *p, InstId inst, Val v, u32 depth)
{
	const Fn *fn = pta_fn(p, inst);
	const Ins *def = batch_def(p->ir, fn, v);
	const Edge *e;
	u32 n;

	v = batch_strip(p->ir, fn, v);
	if (val_is_const(v))
		return ir_const(p->ir, v)->kind == CONST_NULL;
	if (!def || !depth)
		return false;
	if (def->op == OP_ALLOC)
		return def->sub != ALLOC_STACK;
	if (def->op == OP_PHI) {
		for (u32 k = 1; k < def->narg; k += 2)
			if (!new_value(p, inst, ins_arg(p->ir, def, k), depth - 1))
				return false;
		return true;
	}
	if (def->op != OP_CALL)
		return false;
	e = pta_targets(p, inst, fn_reg(p->ir, fn, v)->def, &n);
	for (u32 k = 0; k < n; k++)
		if (!makes_anew(p, e[k].to, depth - 1))
			return false;
	return n > 0;
}

/* Does each call of inst return an object that it has made itself, or null? */
static bool
makes_anew(const Pta *p, InstId inst, u32 depth)
{
	const Fn *fn = pta_fn(p, inst);

	for (BlockId b = 1; b <= fn->nblock; b++) {
		const Block *bl = fn_block(p->ir, fn, b);
		const Ins *ret = ir_ins(p->ir, bl->ins + bl->nins - 1);
		if (ret->op == OP_RET &&
		    (!ret->narg || !new_value(p, inst, ins_arg(p->ir, ret, 0), depth)))
			return false;
	}
	return fn->nblock > 0;
}

bool
batch_makes(const Pta *p, InstId inst, const Ins *def)
{
	return (def->op == OP_ALLOC || def->op == OP_CALL) && def->dst &&
	       new_value(p, inst, def->dst, DEPTH);
}

/* The store, in the loop, of what the round has just allocated; 0 none, or several. */
static InsId
stored_in(const Cfg *cfg, u32 loop, Val made)
{
	InsId found = 0;

	for (InsId i = cfg->fn->ins; i < cfg->fn->ins + cfg->fn->nins; i++) {
		const Ins *s = ir_ins(cfg->ir, i);
		if (s->op != OP_STORE ||
		    batch_strip(cfg->ir, cfg->fn, ins_arg(cfg->ir, s, 1)) != made ||
		    !cfg_loop_has(cfg, loop, cfg_block_of(cfg->ir, cfg->fn, i)))
			continue;
		if (found)
			return 0;
		found = i;
	}
	return found;
}

/* ---- which elements a loop comes to --------------------------------------------------- */

/* v, without constants that are added to it. */
static Limit
limit_of(const Cfg *cfg, Val v, i64 add)
{
	for (u32 depth = 0; depth < DEPTH; depth++) {
		const Ins *def = batch_def(cfg->ir, cfg->fn, v);
		const Const *k;
		bool first; /* is the number the first operand? */
		if (!def || def->op != OP_BIN || (def->sub != BIN_ADD && def->sub != BIN_SUB))
			break;
		first = def->sub == BIN_ADD && val_is_const(ins_arg(cfg->ir, def, 0));
		if (!val_is_const(ins_arg(cfg->ir, def, !first)))
			break;
		k = ir_const(cfg->ir, ins_arg(cfg->ir, def, !first));
		if (k->kind != CONST_INT || k->num > FAR || k->num < -FAR)
			break;
		add += def->sub == BIN_ADD ? k->num : -k->num;
		v = ins_arg(cfg->ir, def, first);
	}
	v = batch_strip(cfg->ir, cfg->fn, v);
	if (val_is_const(v) && ir_const(cfg->ir, v)->kind == CONST_INT)
		return (Limit){0, ir_const(cfg->ir, v)->num + add};
	return (Limit){v, add};
}

/* Where an address that walks from init ends, in steps. */
static bool
limit_of_address(const Cfg *cfg, const Walk *w, Val end, Limit *out)
{
	const Ins *def = batch_def(cfg->ir, cfg->fn, end);
	Val init = batch_strip(cfg->ir, cfg->fn, w->base);

	if (!def || (def->op != OP_FIELD && def->op != OP_INDEX) || def->sub == 1 ||
	    batch_strip(cfg->ir, cfg->fn, ins_arg(cfg->ir, def, 0)) != init)
		return false;
	if (def->op == OP_INDEX)
		*out = limit_of(cfg, ins_arg(cfg->ir, def, 1), 0);
	else
		*out = (Limit){0, def->imm / w->stride};
	return def->op == OP_INDEX ? def->imm == w->stride : def->imm % w->stride == 0;
}

/* The values of the loop's counter in its rounds: in the body behind the test in the header, or
 * before the test at the end, of numbers that are known. */
static bool
limits_by_test(const Cfg *cfg, Walk *w)
{
	const Counter *c = &w->count;
	bool late = c->test != cfg->loops[w->loop].header;
	/* What is tested is so much ahead; behind a late test comes the next round. */
	i64 ahead = late ? 0 : c->after_step ? c->iv.step : 0;
	Limit first = limit_of(cfg, c->iv.init, w->plus);
	Limit end = limit_of(cfg, c->bound, w->plus - ahead);

	if (late && !c->after_step)
		return false;
	switch (c->pred) {
	case CMP_SLT:
	case CMP_ULT: break;
	case CMP_SLE:
	case CMP_ULE: end.add++; break;
	case CMP_SGE:
	case CMP_UGE: end.add--; break;
	case CMP_SGT:
	case CMP_UGT: break;
	case CMP_NE: break;
	default: return false;
	}
	if ((c->pred == CMP_SLT || c->pred == CMP_ULT || c->pred == CMP_SLE ||
	     c->pred == CMP_ULE) != (c->iv.step > 0) &&
	    c->pred != CMP_NE)
		return false;
	if (late &&
	    (first.v || end.v || (c->iv.step > 0 ? first.add >= end.add : first.add <= end.add)))
		return false; /* the first round may be one too many */
	w->lo = c->iv.step > 0 ? first : (Limit){end.v, end.add + 1};
	w->hi = c->iv.step > 0 ? end : (Limit){first.v, first.add + 1};
	return true;
}

/* The elements from the first to the last round's; each round has one. */
static bool
find_limits(const Cfg *cfg, Walk *w)
{
	Iv iv;

	if (w->count.iv.phi == w->index && w->count.iv.address) {
		w->lo = (Limit){0, 0};
		return !w->count.after_step && w->count.test == cfg->loops[w->loop].header &&
		       (w->count.pred == CMP_ULT || w->count.pred == CMP_NE) &&
		       limit_of_address(cfg, w, w->count.bound, &w->hi);
	}
	if (w->count.iv.phi == w->index)
		return limits_by_test(cfg, w);
	/* Counted beside what is tested: up to where it is at the end. */
	if (w->hi.v == w->index && w->index)
		return w->count.test == cfg->loops[w->loop].header;
	if (!loop_iv(cfg, w->loop, w->index, &iv) || iv.step != 1 || iv.address ||
	    w->count.test != cfg->loops[w->loop].header)
		return false;
	w->lo = limit_of(cfg, iv.init, w->plus);
	w->hi = (Limit){w->index, w->plus};
	return true;
}

bool
batch_failed_on(const Cfg *cfg, const Ins *fork, Arc arc)
{
	const Block *b = fn_block(cfg->ir, cfg->fn, arc.from);
	SignFact facts[SIGN_FACTS];

	for (u32 k = 0; k < b->nsucc; k++) {
		u32 n = sign_edge(cfg->ir, cfg->fn, b, k, facts);
		bool failed = cfg->ir->succs.at[b->succ + k] != arc.to;
		for (u32 i = 0; i < n; i++)
			failed |= facts[i].reg == fork->dst && !(facts[i].mask & fork->cond);
		if (!failed)
			return false;
	}
	return true;
}

/* Is v, which comes into block `to` by the edge from `from`, one more than the phi, or the phi
 * itself where the round's fork failed? */
static bool
one_more_if_forked(const Cfg *cfg, const Walk *w, Val v, BlockId from, BlockId to, u32 depth)
{
	const Ins *def = batch_def(cfg->ir, cfg->fn, v);
	Limit l = limit_of(cfg, v, 0);

	if (l.v == w->index)
		return l.add == 1 ||
		       (!l.add && batch_failed_on(cfg, ir_ins(cfg->ir, w->ins), (Arc){from, to}));
	if (!def || def->op != OP_PHI || depth == DEPTH)
		return false;
	to = cfg_block_of(cfg->ir, cfg->fn, fn_reg(cfg->ir, cfg->fn, def->dst)->def);
	for (u32 k = 0; k < def->narg; k += 2)
		if (!one_more_if_forked(cfg, w, ins_arg(cfg->ir, def, k + 1),
					ins_arg(cfg->ir, def, k), to, depth + 1))
			return false;
	return true;
}

/* Does the phi, the index of a fork's handle, count the forks that did not fail? */
static bool
counts_forks(const Cfg *cfg, Walk *w)
{
	const Ins *phi = batch_def(cfg->ir, cfg->fn, w->index);
	BlockId head = cfg->loops[w->loop].header;
	Val init = 0;

	if (!phi || phi->op != OP_PHI || ir_ins(cfg->ir, w->ins)->op != OP_FORK ||
	    cfg_block_of(cfg->ir, cfg->fn, fn_reg(cfg->ir, cfg->fn, w->index)->def) != head)
		return false;
	for (u32 k = 0; k < phi->narg; k += 2) {
		BlockId from = ins_arg(cfg->ir, phi, k);
		Val v = ins_arg(cfg->ir, phi, k + 1);
		if (cfg_loop_has(cfg, w->loop, from) ? !one_more_if_forked(cfg, w, v, from, head, 0)
						     : init && init != v)
			return false;
		if (!cfg_loop_has(cfg, w->loop, from))
			init = v;
	}
	w->step = 1;
	w->lo = limit_of(cfg, init, w->plus);
	w->hi = (Limit){w->index, w->plus};
	return init != 0;
}

/* However the fork's loop ends, its index has then counted the rounds before. */
static bool
counts_rounds(const Cfg *cfg, Walk *w)
{
	Iv iv;

	if (ir_ins(cfg->ir, w->ins)->op != OP_FORK || !loop_iv(cfg, w->loop, w->index, &iv) ||
	    iv.step != 1 || iv.address)
		return false;
	w->count = (Counter){0};
	w->lo = limit_of(cfg, iv.init, w->plus);
	w->hi = (Limit){w->index, w->plus};
	return true;
}

/* What the element's address is made of: base, stride and index. */
static bool
find_index(const Cfg *cfg, const Ins *def, Val addr, Walk *w)
{
	Iv iv = {0};
	Limit at;

	if (def->op == OP_INDEX) {
		at = limit_of(cfg, ins_arg(cfg->ir, def, 1), 0);
		w->base = batch_strip(cfg->ir, cfg->fn, ins_arg(cfg->ir, def, 0));
		w->stride = def->imm;
		w->index = at.v;
		w->plus = at.add;
	} else {
		w->index = addr;
		w->plus = 0;
	}
	w->step = 0;
	if (!w->index || (!loop_iv(cfg, w->loop, w->index, &iv) && !counts_forks(cfg, w)) ||
	    iv.address != (def->op == OP_PHI))
		return false;
	if (w->step)
		return w->stride > 0;
	if (iv.address) {
		w->base = iv.init;
		w->stride = iv.step;
	}
	w->step = iv.address ? 1 : iv.step;
	return w->stride > 0;
}

bool
batch_walk(Matcher *m, InstId inst, const Cfg *cfg, InsId ins, Val addr, Walk *w)
{
	const Ir *ir = cfg->ir;
	const Ins *def;
	BlockId b = cfg_block_of(ir, cfg->fn, ins);
	SteadyFrom asked;
	InsId store;

	*w = (Walk){.inst = inst, .ins = ins};
	def = peel(cfg, addr, &w->off);
	w->loop = cfg->loop_of[b];
	w->points = def && w->loop && (def->op == OP_LOAD || batch_makes(m->t->pta, inst, def));
	if (w->points) {
		store = def->op == OP_LOAD ? 0 : stored_in(cfg, w->loop, def->dst);
		if (def->op != OP_LOAD && !store)
			return false;
		w->in = w->off;
		w->at = ins_arg(ir, store ? ir_ins(ir, store) : def, 0);
		def = peel(cfg, w->at, &w->off);
	}
	if (!def || (def->op != OP_INDEX && def->op != OP_PHI) || !w->loop ||
	    cfg->loops[w->loop].irreducible || !find_index(cfg, def, def->dst, w))
		return false;
	asked = (SteadyFrom){m->steady, inst, cfg->loops[w->loop].header};
	if (!loop_invariant(cfg, w->loop, w->base) && !steady_asked(&asked, w->base))
		return false;
	return loop_counter_if(cfg, w->loop, steady_asked, &asked, &w->count)
		   ? find_limits(cfg, w)
		   : counts_rounds(cfg, w);
}

/* Does ins run on every round of its loop? */
bool
batch_every_round(const Cfg *cfg, const Walk *w)
{
	BlockId at = cfg_block_of(cfg->ir, cfg->fn, w->ins), head = cfg->loops[w->loop].header;

	GRAPH_FOR (b, &cfg->pred, head)
		if (cfg_loop_has(cfg, w->loop, *b) && !cfg_dominates(cfg, at, *b))
			return false;
	return true;
}

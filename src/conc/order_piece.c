/* order_piece.c - join-all loops over what several forks have stored.
 *
 *	create(&h[0], ...);
 *	for (i = 1; i < 5; i++) create(&h[i], ...);
 *	for (i = 0; i < 5; i++) join(h[i]);
 *
 * A fork stores to a piece of the array that the join's loop walks: one element,
 * or those of a loop of its own, within the join's; counters may go on from
 * one loop to the next.  Where one ends as another begins, that has to be no more than where the join's
 * ends: if nothing says so (n may be 0), the join's loop only as a rule waits for all.  All have ended behind the
 * join's loop if no handle is lost: the pieces of two forks have no element in
 * common, or are the same elements of one loop of which a round comes to one
 * of the forks only. */
#include "conc/order_loop.h"

/* The first and the last element, if they are known. */
static bool
known_piece(const Walk *w, i64 *first, i64 *last)
{
	i64 step = w->step < 0 ? -w->step : w->step;

	if (w->lo.v || w->hi.v || w->lo.add >= w->hi.add || !step)
		return false;
	*first = w->lo.add;
	*last = w->hi.add - 1;
	if (w->step > 0)
		*last = *first + (*last - *first) / step * step;
	else
		*first = *last - (*last - *first) / step * step;
	return true;
}

/* Where v lies, in bytes behind a base. */
static Val
bytes_behind(const Cfg *cfg, Val v, i64 *off)
{
	const Ir *ir = cfg->ir;

	*off = 0;
	for (;;) {
		const Ins *def = batch_def(ir, cfg->fn, v);
		const Const *k;
		v = batch_strip(ir, cfg->fn, v);
		if (!def || (def->op != OP_FIELD && def->op != OP_INDEX) || def->sub == 1)
			return v;
		if (def->op == OP_FIELD) {
			*off += def->imm;
		} else {
			if (!val_is_const(ins_arg(ir, def, 1)))
				return v;
			k = ir_const(ir, ins_arg(ir, def, 1));
			if (k->kind != CONST_INT)
				return v;
			*off += k->num * def->imm;
		}
		v = ins_arg(ir, def, 0);
	}
}

/* Is it one element that the fork, which is in no loop, stores to? */
static bool
one_element(Matcher *m, InstId inst, InsId fork, Val to, const Walk *join, Walk *w)
{
	const Cfg *cfg = batch_cfg(m, inst);
	i64 off, start;
	Val base = bytes_behind(cfg, to, &off);

	if (cfg->loop_of[cfg_block_of(cfg->ir, cfg->fn, fork)] || join->points || !join->stride ||
	    base != bytes_behind(cfg, join->base, &start))
		return false;
	off -= start + join->off;
	if (off < 0 || off % join->stride)
		return false;
	*w = (Walk){.ins = fork, .base = base, .stride = join->stride, .off = join->off, .step = 1};
	w->lo = (Limit){0, off / join->stride};
	w->hi = (Limit){0, off / join->stride + 1};
	return true;
}

static bool
same_limit(const Limit *x, const Limit *y)
{
	return x->v == y->v && x->add == y->add;
}

/* Does the comparison, if it comes out so, say that v is at least `low`? */
static bool
says_least(Matcher *m, InstId inst, const Ins *cmp, bool holds, Val v, i64 low)
{
	const Ir *ir = m->t->pta->ir;
	Val x = ins_arg(ir, cmp, 0), y = ins_arg(ir, cmp, 1);
	i64 k;

	if (cmp->op != OP_CMP || !val_is_const(y) || ir_const(ir, y)->kind != CONST_INT ||
	    !(batch_strip(ir, pta_fn(m->t->pta, inst), x) == v ||
	      steady_same(m->steady, inst, x, v)))
		return false;
	k = ir_const(ir, y)->num;
	switch (cmp->sub) {
	case CMP_SGT: return holds && k >= low - 1;
	case CMP_SGE: return holds && k >= low;
	case CMP_SLT: return !holds && k >= low;
	case CMP_SLE: return !holds && k >= low - 1;
	default: return false;
	}
}

/* Does every way to block `at` pass a test that says so? */
static bool
is_least(Matcher *m, InstId inst, BlockId at, Val v, i64 low)
{
	const Cfg *cfg = batch_cfg(m, inst);
	const Ir *ir = cfg->ir;

	for (BlockId b = 1; b <= cfg->fn->nblock; b++) {
		const Block *bl = fn_block(ir, cfg->fn, b);
		const Ins *end = ir_ins(ir, bl->ins + bl->nins - 1);
		const Ins *cmp =
		    end->op == OP_CBR ? batch_def(ir, cfg->fn, ins_arg(ir, end, 0)) : NULL;
		for (u32 k = 0; cmp && k < bl->nsucc; k++) {
			BlockId s = ir->succs.at[bl->succ + k];
			if (cfg->pred.first[s + 1] - cfg->pred.first[s] == 1 &&
			    cfg_dominates(cfg, s, at) && says_least(m, inst, cmp, k == 0, v, low))
				return true;
		}
	}
	return false;
}

/* Is the element `from`, where the k-th fork begins, none behind the last of the join's loop?  A
 * loop from 1 to n starts nothing if n is 0, and then the join's waits for none. */
static bool
begins_within(Matcher *m, InstId inst, const WalkList *forks, u32 k, const Walk *join)
{
	const Cfg *cfg = batch_cfg(m, inst);
	const Limit *from = &forks->at[k].lo, *end = &join->hi;
	BlockId at = cfg_block_of(cfg->ir, cfg->fn, forks->at[k].ins);

	if (forks->at[k].loop)
		at = cfg->loops[forks->at[k].loop].header;
	if (from->v)
		return false;
	return end->v ? is_least(m, inst, at, batch_strip(cfg->ir, cfg->fn, end->v),
				 from->add - end->add)
		      : from->add <= end->add;
}

/* Does the k-th fork store from, or up to, where the join's loop begins, or ends, or within?  It
 * may also begin where another ends that does, or end where another begins. */
static Within
is_bounded(Matcher *m, InstId inst, const WalkList *forks, u32 k, const Walk *join, bool above,
	   u32 depth)
{
	const Walk *w = &forks->at[k];
	const Limit *mine = above ? &w->hi : &w->lo, *its = above ? &join->hi : &join->lo;
	Within best = WITHIN_NOT, next;

	if (same_limit(mine, its) ||
	    (!mine->v && !its->v && (above ? mine->add <= its->add : mine->add >= its->add)) ||
	    (w->loop && batch_same_limit(m, inst, *mine, *its)))
		return WITHIN_ALWAYS;
	for (u32 i = 0; depth && i < forks->n && best < WITHIN_ALWAYS; i++) {
		if (i == k || !same_limit(mine, above ? &forks->at[i].lo : &forks->at[i].hi))
			continue;
		next = is_bounded(m, inst, forks, i, join, above, depth - 1);
		if (next && above && !begins_within(m, inst, forks, i, join))
			next = WITHIN_LIKELY;
		best = MAX(best, next);
	}
	return best;
}

Within
batch_within(Matcher *m, InstId inst, const WalkList *forks, u32 k, const Walk *join)
{
	const Walk *w = &forks->at[k];
	i64 first, last, from, to;
	Within low, high;

	if (join->step != 1 && join->step != -1)
		return WITHIN_NOT;
	if (known_piece(w, &first, &last) && known_piece(join, &from, &to))
		return from <= first && last <= to ? WITHIN_ALWAYS : WITHIN_NOT;
	low = w->step == 1 ? is_bounded(m, inst, forks, k, join, false, forks->n) : WITHIN_NOT;
	high = low ? is_bounded(m, inst, forks, k, join, true, forks->n) : WITHIN_NOT;
	return MIN(low, high);
}

bool
batch_piece(Matcher *m, const Obj *o, InstId inst, const Walk *join, Walk *fork)
{
	const Cfg *cfg = batch_cfg(m, inst);
	InsId at = o->ins;
	Val to;

	if (o->kind != OBJ_THREAD || o->inst != inst || !(to = batch_handle(cfg, &at)))
		return false;
	if (one_element(m, inst, at, to, join, fork))
		return cfg_precedes(cfg, o->ins,
				    fn_block(cfg->ir, cfg->fn, cfg->loops[join->loop].header)->ins);
	return batch_walk(m, inst, cfg, at, to, fork) && !fork->points &&
	       (fork->hi.v != fork->index || batch_leaves_unstored(m, cfg, fork)) &&
	       fork->loop != join->loop && batch_same_array(m, inst, fork, inst, join) &&
	       cfg_dominates(cfg, cfg->loops[fork->loop].header, cfg->loops[join->loop].header);
}

/* Does control come from block x to block y in one round of the loop? */
static bool
reaches_in_round(Matcher *m, const Cfg *c, u32 loop, BlockId x, BlockId y)
{
	bool *seen = arena_array(m->arena, bool, c->fn->nblock + 1);
	VecU32 todo = {0};

	seen[c->loops[loop].header] = true;
	vec_push(m->arena, &todo, x);
	while (todo.n) {
		BlockId b = todo.at[--todo.n];
		if (b == y)
			return true;
		GRAPH_FOR (s, &c->succ, b)
			if (!seen[*s] && cfg_loop_has(c, loop, *s)) {
				seen[*s] = true;
				vec_push(m->arena, &todo, *s);
			}
	}
	return false;
}

/* Does the k-th fork begin where the i-th ends, or behind? */
static bool
begins_behind(const WalkList *forks, u32 i, u32 k, u32 depth)
{
	if (same_limit(&forks->at[i].hi, &forks->at[k].lo))
		return true;
	for (u32 n = 0; depth && n < forks->n; n++)
		if (n != i && n != k && same_limit(&forks->at[i].hi, &forks->at[n].lo) &&
		    begins_behind(forks, n, k, depth - 1))
			return true;
	return false;
}

bool
batch_apart(Matcher *m, InstId inst, const WalkList *forks, u32 i, u32 k)
{
	const Cfg *c = batch_cfg(m, inst);
	const Walk *x = &forks->at[i], *y = &forks->at[k];
	i64 first, last, from, to, step = x->step < 0 ? -x->step : x->step;
	BlockId a, b;

	if (known_piece(x, &first, &last) && known_piece(y, &from, &to)) {
		if (last < from || to < first)
			return true;
		if (x->step == y->step && (first - from) % step)
			return true;
	}
	if (begins_behind(forks, i, k, forks->n) || begins_behind(forks, k, i, forks->n))
		return true;
	if (!x->loop || x->loop != y->loop || !batch_same_element(x, y))
		return false;
	a = cfg_block_of(c->ir, c->fn, x->ins);
	b = cfg_block_of(c->ir, c->fn, y->ins);
	return a != b && !reaches_in_round(m, c, x->loop, a, b) &&
	       !reaches_in_round(m, c, x->loop, b, a);
}

/* ---- joins that take back what their own activation has forked ------------------ */

/* Does the array lie in memory that this activation of the function has made? */
static bool
made_here(const Pta *p, InstId inst, Val array)
{
	const Set *at = pta_pts(p, inst, array);

	SET_FOR (it, at) {
		const Obj *o = pta_obj(p, pta_slot(p, it.x)->obj);
		if ((o->kind != OBJ_STACK && o->kind != OBJ_HEAP) || o->inst != inst)
			return false;
	}
	return !set_empty(at);
}

bool
batch_takes_back(Matcher *m, const Cfg *cfg, const Batch *b, const Walk *join)
{
	bool *seen;
	VecU32 todo = {0};

	if (!b->fork_head || b->loop_inst != b->join_inst ||
	    !made_here(m->t->pta, b->join_inst, join->base))
		return false;
	seen = arena_array(m->arena, bool, cfg->fn->nblock + 1);
	vec_push(m->arena, &todo, b->fork_head);
	while (todo.n) {
		BlockId at = todo.at[--todo.n];
		GRAPH_FOR (s, &cfg->succ, at) {
			if (at == b->join_head && *s == b->join_exit)
				continue;
			if (*s == b->fork_head && !set_has(&b->fork_body, at))
				return false;
			if (!seen[*s])
				vec_push(m->arena, &todo, *s);
			seen[*s] = true;
		}
	}
	return true;
}

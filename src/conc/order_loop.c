/* order_loop.c - create-all and join-all loops, and handles of one's own.
 *
 *	for (i = 0; i < n; i++) create(&h[i], ...);
 *	for (j = 0; j < n; j++) join(h[j]);
 *
 * act on the whole fork site if both loops walk the same array with counters
 * that cover the same elements: the same start, step and bound as one value,
 * or the creating loop's counter at its end as the bound (as after a failed
 * create).  The array must hold handles of this fork only, and be this
 * thread's own or the one array of a fork that one unique thread runs: else
 * another instance could have stored its handles there. */
#include "conc/order_int.h"

#include "ir/induction.h"

/* The value behind copies and width changes. */
static Val
strip(const Ir *ir, const Fn *fn, Val v)
{
	while (val_is_reg(v) && fn_reg(ir, fn, v)->def) {
		const Ins *def = ir_ins(ir, fn_reg(ir, fn, v)->def);
		if (def->op != OP_COPY && def->op != OP_CAST)
			break;
		v = ins_arg(ir, def, 0);
	}
	return v;
}

static const Ins *
defined_by(const Ir *ir, const Fn *fn, Val v)
{
	v = strip(ir, fn, v);
	return val_is_reg(v) && fn_reg(ir, fn, v)->def ? ir_ins(ir, fn_reg(ir, fn, v)->def) : NULL;
}

bool
order_private(const Threads *t, InstId inst, Val handle)
{
	const Pta *p = t->pta;
	const Ins *def = defined_by(p->ir, pta_fn(p, inst), handle);
	const Set *from;

	if (!def)
		return false;
	if (def->op == OP_FORK)
		return true;
	if (def->op != OP_LOAD)
		return false;
	from = pta_pts(p, inst, ins_arg(p->ir, def, 0));
	SET_FOR (it, from) {
		const Obj *o = pta_obj(p, pta_slot(p, it.x)->obj);
		if ((o->kind != OBJ_STACK && o->kind != OBJ_HEAP) || threads_shared(t, pta_slot(p, it.x)->obj))
			return false;
	}
	return !set_empty(from);
}

/* One side of the match: base[counter], in a loop that counts. */
typedef struct Walk {
	InsId ins;
	Val base;
	i64 stride;
	u32 loop;
	Counter count;
} Walk;

/* Is addr base[i * stride] with i the counter of the innermost loop of ins,
 * on every round of which ins runs? */
static bool
find_walk(const Cfg *cfg, InsId ins, Val addr, Walk *w)
{
	const Ir *ir = cfg->ir;
	const Ins *def = defined_by(ir, cfg->fn, addr);
	BlockId b = cfg_block_of(ir, cfg->fn, ins);

	w->ins = ins;
	w->loop = cfg->loop_of[b];
	if (!def || def->op != OP_INDEX || !w->loop || cfg->loops[w->loop].irreducible)
		return false;
	w->base = strip(ir, cfg->fn, ins_arg(ir, def, 0));
	w->stride = def->imm;
	if (!loop_counter(cfg, w->loop, &w->count) || !loop_invariant(cfg, w->loop, w->base))
		return false;
	return strip(ir, cfg->fn, ins_arg(ir, def, 1)) == w->count.iv.phi && !w->count.after_step &&
	       w->count.test == cfg->loops[w->loop].header;
}

/* Does ins run on every round of its loop? */
static bool
every_round(const Cfg *cfg, const Walk *w)
{
	BlockId at = cfg_block_of(cfg->ir, cfg->fn, w->ins), head = cfg->loops[w->loop].header;

	GRAPH_FOR (b, &cfg->pred, head)
		if (cfg_loop_has(cfg, w->loop, *b) && !cfg_dominates(cfg, at, *b))
			return false;
	return true;
}

static bool
same_value(const Ir *ir, const Fn *fn, Val x, Val y)
{
	x = strip(ir, fn, x);
	y = strip(ir, fn, y);
	if (x == y)
		return true;
	if (!val_is_const(x) || !val_is_const(y))
		return false;
	return ir_const(ir, x)->kind == CONST_INT && ir_const(ir, y)->kind == CONST_INT &&
	       ir_const(ir, x)->num == ir_const(ir, y)->num;
}

/* Is the loop left, other than by its test, only where this round's create
 * failed?  Then the elements below the counter are all that were stored. */
static bool
leaves_on_failure(const Cfg *cfg, const Walk *fork)
{
	const Ir *ir = cfg->ir;
	const Loop *loop = &cfg->loops[fork->loop];

	for (u32 i = loop->exit; i < loop->exit + loop->nexit; i++) {
		Arc arc = cfg->loop_exits[i];
		const Block *b = fn_block(ir, cfg->fn, arc.from);
		const Ins *term = ir_ins(ir, b->ins + b->nins - 1), *cmp;
		u32 signs;
		if (arc.from == fork->count.test)
			continue;
		cmp = term->op == OP_CBR ? defined_by(ir, cfg->fn, ins_arg(ir, term, 0)) : NULL;
		if (!cmp || cmp->op != OP_CMP || (cmp->sub != CMP_EQ && cmp->sub != CMP_NE) ||
		    !same_value(ir, cfg->fn, ins_arg(ir, cmp, 0), ir_ins(ir, fork->ins)->dst) ||
		    !val_is_const(ins_arg(ir, cmp, 1)) || ir_const(ir, ins_arg(ir, cmp, 1))->num)
			return false;
		signs = (cmp->sub == CMP_EQ) == (ir->succs.at[b->succ] == arc.to) ? SIGN_ZERO : SIGN_NONZERO;
		if (signs & ir_ins(ir, fork->ins)->cond)
			return false;
	}
	return true;
}

/* Is v the counter of the creating loop as it was when the loop ended: the
 * counter itself, or a phi behind the loop that merges only it? */
static bool
counter_at_end(const Cfg *cfg, const Walk *fork, Val v)
{
	const Ins *def;

	v = strip(cfg->ir, cfg->fn, v);
	if (v == fork->count.iv.phi)
		return true;
	def = defined_by(cfg->ir, cfg->fn, v);
	if (!def || def->op != OP_PHI)
		return false;
	for (u32 k = 1; k < def->narg; k += 2)
		if (strip(cfg->ir, cfg->fn, ins_arg(cfg->ir, def, k)) != fork->count.iv.phi)
			return false;
	return true;
}

/* Does the join loop cover exactly what the fork loop stored? */
static bool
covers(const Cfg *cfg, const Walk *fork, const Walk *join)
{
	const Counter *f = &fork->count, *j = &join->count;

	if (fork->loop == join->loop || fork->base != join->base || fork->stride != join->stride ||
	    f->iv.step != j->iv.step || !same_value(cfg->ir, cfg->fn, f->iv.init, j->iv.init))
		return false;
	if (f->pred != j->pred)
		return false;
	return same_value(cfg->ir, cfg->fn, f->bound, j->bound) ||
	       (leaves_on_failure(cfg, fork) && counter_at_end(cfg, fork, j->bound));
}

/* Handles of this fork only, in an array that no other instance writes. */
static bool
owns_handles(const Threads *t, InstId inst, InsId fork, Val handle)
{
	const Pta *p = t->pta;
	const Set *pts = pta_pts(p, inst, handle);
	const Obj *o;
	u32 makers = 0;
	bool unique = true;

	if (set_count(pts) != 1)
		return false;
	o = pta_obj(p, pta_slot(p, set_first(pts))->obj);
	if (o->kind != OBJ_THREAD || o->ins != fork || o->inst != inst)
		return false;
	if (order_private(t, inst, handle))
		return true;
	for (ThreadId x = 1; x < t->at.n; x++)
		if (set_has(&t->insts[x], inst)) {
			makers++;
			unique &= thread_get(t, x)->unique;
		}
	return makers == 1 && unique;
}

static void
match_join(const Cfg *cfg, const Threads *t, InstId inst, const Walk *join, Arena *a,
	   Batches *out)
{
	const Ir *ir = cfg->ir;
	Val handle = ins_arg(ir, ir_ins(ir, join->ins), 0);

	for (InsId i = cfg->fn->ins; i < cfg->fn->ins + cfg->fn->nins; i++) {
		const Ins *ins = ir_ins(ir, i);
		Walk fork;
		Batch batch;
		if (ins->op != OP_FORK || !ins_arg(ir, ins, 0) || !find_walk(cfg, i, ins_arg(ir, ins, 0), &fork))
			continue;
		if (!covers(cfg, &fork, join) || !owns_handles(t, inst, i, handle))
			continue;
		batch = (Batch){.fork = i, .join = join->ins, .fork_head = cfg->loops[fork.loop].header,
				.join_head = join->count.test, .join_exit = join->count.exit};
		for (BlockId b = 1; b <= cfg->fn->nblock; b++)
			if (cfg_loop_has(cfg, fork.loop, b))
				set_add(a, &batch.fork_body, b);
		vec_push(a, out, batch);
	}
}

void
order_batches(const Threads *t, InstId inst, Arena *a, Batches *out)
{
	const Pta *p = t->pta;
	const Fn *fn = pta_fn(p, inst);
	bool forks = false, joins = false;
	Cfg cfg;

	for (InsId i = fn->ins; i < fn->ins + fn->nins; i++) {
		forks |= ir_ins(p->ir, i)->op == OP_FORK;
		joins |= ir_ins(p->ir, i)->op == OP_JOIN;
	}
	if (!forks || !joins)
		return;
	cfg_build(&cfg, a, p->ir, fn);
	for (InsId i = fn->ins; i < fn->ins + fn->nins; i++) {
		const Ins *ins = ir_ins(p->ir, i), *load;
		Walk join;
		if (ins->op != OP_JOIN || ins->flags & INS_TRY)
			continue;
		load = defined_by(p->ir, fn, ins_arg(p->ir, ins, 0));
		if (load && load->op == OP_LOAD && find_walk(&cfg, i, ins_arg(p->ir, load, 0), &join) &&
		    every_round(&cfg, &join))
			match_join(&cfg, t, inst, &join, a, out);
	}
}

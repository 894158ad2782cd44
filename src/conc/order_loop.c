/* order_loop.c - create-all and join-all loops, and handles of one's own.
 *
 *	for (i = 0; i < n; i++) create(&h[i], ...);
 *	for (j = 0; j < n; j++) join(h[j]);
 *
 * act on the whole fork site if both loops walk the same array with counters
 * that cover the same elements: the same start, step and bound as one value,
 * or the creating loop's counter at its end as the bound (as after a failed
 * create).  In two functions, start and bound must be the same constants, or read
 * from one place that is not written from the call of the one to the other's, and
 * the array the same object.  Every fork whose handles
 * the array may hold must match, and the array be this thread's own or the one
 * array of a fork that one unique thread runs: else
 * another instance could have stored its handles there. */
#include "conc/order_loop.h"

#include "conc/access.h"

enum { DEPTH = 4 }; /* of calls */

bool
order_private(const Threads *t, InstId inst, Val handle)
{
	const Pta *p = t->pta;
	const Ins *def = batch_def(p->ir, pta_fn(p, inst), handle);
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
		if ((o->kind != OBJ_STACK && o->kind != OBJ_HEAP) ||
		    threads_shared(t, pta_slot(p, it.x)->obj))
			return false;
	}
	return !set_empty(from);
}

static bool
same_value(const Ir *ir, const Fn *fn, Val x, Val y)
{
	x = batch_strip(ir, fn, x);
	y = batch_strip(ir, fn, y);
	if (x == y)
		return true;
	if (!val_is_const(x) || !val_is_const(y))
		return false;
	return ir_const(ir, x)->kind == CONST_INT && ir_const(ir, y)->kind == CONST_INT &&
	       ir_const(ir, x)->num == ir_const(ir, y)->num;
}

/* Can control come from the fork to the edge, out of the loop, within one round? */
static bool
behind_fork(Matcher *m, const Cfg *cfg, const Walk *fork, Arc exit)
{
	BlockId at = cfg_block_of(cfg->ir, cfg->fn, fork->ins);
	bool *seen = arena_array(m->arena, bool, cfg->fn->nblock + 1);
	VecU32 todo = {0};

	seen[cfg->loops[fork->loop].header] = true;
	seen[at] = true;
	vec_push(m->arena, &todo, at);
	while (todo.n) {
		BlockId b = todo.at[--todo.n];
		if (b == exit.from)
			return true;
		GRAPH_FOR (s, &cfg->succ, b) {
			if (seen[*s] || !cfg_loop_has(cfg, fork->loop, *s))
				continue;
			seen[*s] = true;
			vec_push(m->arena, &todo, *s);
		}
	}
	return false;
}

/* Is the loop left only before this round's create, or where that failed?  Then the elements
 * below the counter are all that were stored. */
bool
batch_leaves_unstored(Matcher *m, const Cfg *cfg, const Walk *fork)
{
	const Loop *loop = &cfg->loops[fork->loop];

	for (u32 i = loop->exit; i < loop->exit + loop->nexit; i++)
		if (behind_fork(m, cfg, fork, cfg->loop_exits[i]) &&
		    !batch_failed_on(cfg, ir_ins(cfg->ir, fork->ins), cfg->loop_exits[i]))
			return false;
	return true;
}

/* Is v the counter of the creating loop as it was when the loop ended: the
 * counter itself, or a phi behind the loop that merges only it? */
static bool
counter_at_end(const Cfg *cfg, const Walk *fork, Val v)
{
	const Ins *def;

	if (!v)
		return false;
	v = batch_strip(cfg->ir, cfg->fn, v);
	if (v == fork->index)
		return true;
	def = batch_def(cfg->ir, cfg->fn, v);
	if (!def || def->op != OP_PHI)
		return false;
	for (u32 k = 1; k < def->narg; k += 2)
		if (batch_strip(cfg->ir, cfg->fn, ins_arg(cfg->ir, def, k)) != fork->index)
			return false;
	return true;
}

/* Is the walked array the same object on both sides? */
bool
batch_same_array(const Matcher *m, InstId fi, const Walk *fork, InstId ji, const Walk *join)
{
	const Pta *p = m->t->pta;
	const Set *x, *y;

	if (fork->stride != join->stride || fork->off != join->off ||
	    fork->points != join->points || (fork->points && (fork->in != join->in || fi != ji)))
		return false;
	if (fi == ji)
		return steady_same(m->steady, fi, fork->base, join->base);
	x = pta_pts(p, fi, fork->base);
	y = pta_pts(p, ji, join->base);
	return set_single(x) && set_eq(x, y) && pta_slot_exact(p, set_first(x));
}

const Cfg *
batch_cfg(Matcher *m, InstId inst)
{
	const Pta *p = m->t->pta;
	FnId fn = pta_inst(p, inst)->fn;

	if (!m->cfgs[fn]) {
		m->cfgs[fn] = arena_new(m->arena, Cfg);
		cfg_build(m->cfgs[fn], m->arena, p->ir, pta_fn(p, inst));
	}
	return m->cfgs[fn];
}

/* A value traced to where it comes from: through a parameter to the argument
 * of the only call. */
typedef struct Origin {
	InstId inst;
	Val val;
} Origin;

static Origin
origin_of(const Pta *p, InstId inst, Val v)
{
	for (u32 depth = 0; depth < DEPTH; depth++) {
		const Inst *in = pta_inst(p, inst);
		const Edge *e;
		const Ins *call;
		v = batch_strip(p->ir, pta_fn(p, inst), v);
		if (!val_is_reg(v) || v > pta_fn(p, inst)->nparam || in->ncaller != 1)
			break;
		e = &p->edges.at[p->callers.at[in->caller]];
		call = ir_ins(p->ir, e->ins);
		if (e->fork || call->op != OP_CALL || v >= call->narg)
			break;
		inst = e->from;
		v = ins_arg(p->ir, call, v);
	}
	return (Origin){inst, v};
}

/* Can the value not change while the function is active? */
static bool
settled(Matcher *m, Origin o)
{
	const Cfg *cfg;
	InsId def;

	if (val_is_const(o.val))
		return ir_const(m->t->pta->ir, o.val)->kind == CONST_INT;
	cfg = batch_cfg(m, o.inst);
	def = fn_reg(cfg->ir, cfg->fn, o.val)->def;
	return !def || !cfg_in_cycle(cfg, cfg_block_of(cfg->ir, cfg->fn, def));
}

/* The function above, called once, from which inst is reached by one call only: inst moves
 * there, and *at is the call. */
static bool
climb(const Pta *p, InstId *inst, InsId *at)
{
	const Inst *in = pta_inst(p, *inst);
	const Edge *e = in->ncaller == 1 ? &p->edges.at[p->callers.at[in->caller]] : NULL;

	if (!e || e->fork || ir_ins(p->ir, e->ins)->op != OP_CALL)
		return false;
	*inst = e->from;
	*at = e->ins;
	return true;
}

/* The calls in one function that lead to fi and ji: no start without the joins of one activation,
 * or of the only one. */
static bool
common_caller(Matcher *m, InstId fi, InstId ji, InstId *inst, InsId *start, InsId *stop)
{
	const Pta *p = m->t->pta;

	*start = 0;
	for (u32 i = 0; i < DEPTH; i++) {
		*inst = ji;
		*stop = 0;
		for (u32 k = 0; k < DEPTH && *inst != fi; k++)
			if (!climb(p, inst, stop))
				break;
		if (*inst == fi && *start && *stop)
			return !pta_inst(p, fi)->ncaller ||
			       cfg_precedes(batch_cfg(m, fi), *start, *stop);
		if (!climb(p, &fi, start))
			return false;
	}
	return false;
}

/* Do two functions load the same number from one place, which nobody writes meanwhile? */
static bool
same_cell(Matcher *m, InstId fi, Val x, InstId ji, Val y)
{
	const Pta *p = m->t->pta;
	const Ins *a = batch_def(p->ir, pta_fn(p, fi), x), *b = batch_def(p->ir, pta_fn(p, ji), y);
	const Set *s, *t;
	InstId inst;
	InsId start, stop;

	if (!a || !b || a->op != OP_LOAD || b->op != OP_LOAD || a->width != b->width)
		return false;
	s = pta_pts(p, fi, ins_arg(p->ir, a, 0));
	t = pta_pts(p, ji, ins_arg(p->ir, b, 0));
	return set_single(s) && set_eq(s, t) && pta_slot_exact(p, set_first(s)) &&
	       threads_single(m->t, pta_slot(p, set_first(s))->obj) &&
	       common_caller(m, fi, ji, &inst, &start, &stop) &&
	       steady_between(m->steady, inst, start, stop, s, (a->width + 7u) / 8);
}

/* The only write to the place, if it is a store of so many bits; 0 there are others.  Unknown code
 * may write what it is given. */
static InsId
only_store(const Matcher *m, SlotId slot, u16 width, InstId *inst)
{
	const Pta *p = m->t->pta;
	InsId found = 0;

	for (InstId i = 1; i < p->insts.n; i++) {
		const Fn *fn = pta_fn(p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
			const Ins *ins = ir_ins(p->ir, id);
			Touch touch[2];
			u32 n = access_touches(p->ir, id, touch);
			bool meets = false;
			for (u32 k = 0; k < n; k++)
				SET_FOR (it, pta_pts(p, i, touch[k].addr))
					meets |= touch[k].flags & ACC_WRITE &&
						 !(touch[k].flags & ACC_FREE) &&
						 pta_overlap(p, slot, (width + 7u) / 8, it.x,
							     touch[k].size);
			for (u32 k = 0; ins->op == OP_EXTERN && k < ins->narg; k++)
				SET_FOR (it, pta_pts(p, i, ins_arg(p->ir, ins, k)))
					if (pta_slot(p, it.x)->obj == pta_slot(p, slot)->obj)
						return 0;
			if (!meets)
				continue;
			if (found || ins->op != OP_STORE || ins->width != width)
				return 0;
			found = id;
			*inst = i;
		}
	}
	return found;
}

/* Is v the limit, in fn? */
static bool
is_limit(const Ir *ir, const Fn *fn, Val v, Limit x)
{
	v = batch_strip(ir, fn, v);
	if (x.v)
		return !x.add && same_value(ir, fn, v, x.v);
	return val_is_const(v) && ir_const(ir, v)->kind == CONST_INT &&
	       ir_const(ir, v)->num == x.add;
}

/* Is y loaded from a place that nothing writes but fi, once, before its forks, with x or where x
 * is loaded from as well? */
static bool
stored_before(Matcher *m, InstId fi, Limit x, BlockId head, InstId ji, Val y)
{
	const Pta *p = m->t->pta;
	const Ins *load = batch_def(p->ir, pta_fn(p, ji), y);
	const Ins *again = x.v && !x.add ? batch_def(p->ir, pta_fn(p, fi), x.v) : NULL;
	const Set *at =
	    load && load->op == OP_LOAD ? pta_pts(p, ji, ins_arg(p->ir, load, 0)) : NULL;
	const Cfg *cfg = batch_cfg(m, fi);
	InstId by = 0;
	InsId store;

	if (!at || set_count(at) != 1 || !pta_slot_exact(p, set_first(at)) ||
	    !threads_single(m->t, pta_slot(p, set_first(at))->obj))
		return false;
	store = only_store(m, set_first(at), load->width, &by);
	return store && by == fi && !cfg_in_cycle(cfg, cfg_block_of(p->ir, cfg->fn, store)) &&
	       cfg_precedes(cfg, store, fn_block(p->ir, cfg->fn, head)->ins) &&
	       (is_limit(p->ir, cfg->fn, ins_arg(p->ir, ir_ins(p->ir, store), 1), x) ||
		(again && again->op == OP_LOAD && again->width == load->width &&
		 set_eq(pta_pts(p, fi, ins_arg(p->ir, again, 0)), at)));
}

static bool
same_bound(Matcher *m, InstId fi, Val x, InstId ji, Val y, bool in_turn)
{
	const Pta *p = m->t->pta;
	Origin a = origin_of(p, fi, x), b = origin_of(p, ji, y);

	if (val_is_const(a.val) || val_is_const(b.val))
		return val_is_const(a.val) && val_is_const(b.val) &&
		       same_value(p->ir, pta_fn(p, ji), a.val, b.val);
	if (a.inst != b.inst && m->head &&
	    stored_before(m, fi, (Limit){.v = x}, m->head, b.inst, b.val))
		return true;
	if (a.inst != b.inst)
		return same_cell(m, a.inst, a.val, b.inst, b.val);
	if (!steady_same(m->steady, a.inst, a.val, b.val))
		return false;
	return in_turn || (a.val == b.val && settled(m, a));
}

static bool
same_limit(Matcher *m, InstId fi, Limit x, InstId ji, Limit y, bool in_turn)
{
	if (!x.v && y.v && !y.add && m->head) {
		Origin b = origin_of(m->t->pta, ji, y.v);
		return stored_before(m, fi, x, m->head, b.inst, b.val);
	}
	if (x.add != y.add || !x.v != !y.v)
		return false;
	return !x.v || same_bound(m, fi, x.v, ji, y.v, in_turn);
}

/* Is it the same number from the forks' loop on, while an activation lasts? */
static bool
fixed_limit(Matcher *m, InstId inst, Limit x, Limit y)
{
	return x.add == y.add && !x.v == !y.v &&
	       (!x.v || (steady_same(m->steady, inst, x.v, y.v) &&
			 steady_from(m->steady, inst, m->head, x.v) &&
			 steady_from(m->steady, inst, m->head, y.v)));
}

bool
batch_same_limit(Matcher *m, InstId inst, Limit fork, Limit join)
{
	return fork.v && join.v && fork.add == join.add &&
	       same_bound(m, inst, fork.v, inst, join.v, true);
}

/* Does the join loop cover exactly what the fork loop stored?  in_turn: each
 * join loop follows a fork loop of the same round, so that both see the same
 * values. */
bool
batch_covers(Matcher *m, InstId fi, const Walk *fork, InstId ji, const Walk *join)
{
	const Cfg *cfg = batch_cfg(m, fi);
	bool here = fi == ji;
	bool in_turn = here && cfg_dominates(cfg, cfg->loops[fork->loop].header,
					     cfg->loops[join->loop].header);
	bool one_by_one =
	    (fork->step == 1 || fork->step == -1) && (join->step == 1 || join->step == -1);

	m->here = false;
	if ((here && fork->loop == join->loop) || (fork->step != join->step && !one_by_one))
		return false;
	m->head = cfg->loops[fork->loop].header;
	if (here && !in_turn && fork->index == fork->count.iv.phi && (fork->lo.v || fork->hi.v) &&
	    fixed_limit(m, fi, fork->lo, join->lo) && fixed_limit(m, fi, fork->hi, join->hi)) {
		m->here = true;
		return true;
	}
	if (!same_limit(m, fi, fork->lo, ji, join->lo, in_turn))
		return false;
	if (same_limit(m, fi, fork->hi, ji, join->hi, in_turn))
		return fork->index == fork->count.iv.phi || batch_leaves_unstored(m, cfg, fork);
	if (batch_noted(m, fi, fork, ji, join))
		return true;
	return in_turn && fork->step == 1 && batch_leaves_unstored(m, cfg, fork) &&
	       join->hi.add == fork->plus && counter_at_end(cfg, fork, join->hi.v);
}

/* Does one thread run the fork, of which there is one? */
bool
batch_sole_maker(const Threads *t, InstId fork_inst)
{
	u32 makers = 0;
	bool unique = true;

	for (ThreadId x = 1; x < t->at.n; x++)
		if (set_has(&t->insts[x], fork_inst)) {
			makers++;
			unique &= thread_get(t, x)->unique;
		}
	return makers == 1 && unique;
}

/* May no other instance of the code have stored its handles there? */
static bool
owns_handles(const Threads *t, InstId fork_inst, InstId join_inst, Val handle)
{
	return (fork_inst == join_inst && order_private(t, join_inst, handle)) ||
	       batch_sole_maker(t, fork_inst);
}

void
batch_fill(Matcher *m, const Obj *o, InstId inst, InsId id, const Walk *fork, const Walk *join,
	   Batch *out)
{
	InstId in = fork->inst ? fork->inst : o->inst;
	const Cfg *fc = batch_cfg(m, in);

	*out = (Batch){.fork = o->ins,
		       .fork_inst = o->inst,
		       .loop_inst = in,
		       .join = id,
		       .join_inst = inst,
		       .fork_head = fork->loop ? fc->loops[fork->loop].header : 0,
		       .join_head = join->count.test,
		       .join_exit = join->count.exit,
		       .fork_count = fork->plus == join->plus ? fork->index : 0,
		       .join_count = join->index,
		       .here = m->here};
	for (BlockId b = 1; fork->loop && b <= fc->fn->nblock; b++)
		if (cfg_loop_has(fc, fork->loop, b))
			set_add(m->arena, &out->fork_body, b);
}

/* Where the elements are pointers: does each round of the fork's loop put a new object
 * there, before the fork, or were they put there before, and does nothing else write them from then
 * on? */
static bool
keeps_pointers(Matcher *m, InstId inst, const Cfg *cfg, const Walk *fork)
{
	const Ir *ir = cfg->ir;
	InsId found = 0;

	for (InsId i = cfg->fn->ins; i < cfg->fn->ins + cfg->fn->nins; i++) {
		const Ins *store = ir_ins(ir, i), *made;
		Walk w;
		if (store->op != OP_STORE ||
		    cfg->loop_of[cfg_block_of(ir, cfg->fn, i)] != fork->loop)
			continue;
		made = batch_def(ir, cfg->fn, ins_arg(ir, store, 1));
		if (!made || !batch_makes(m->t->pta, inst, made) ||
		    !batch_walk(m, inst, cfg, i, ins_arg(ir, store, 0), &w) || w.points ||
		    w.off != fork->off || w.stride != fork->stride ||
		    !batch_same_element(&w, fork) ||
		    !steady_same(m->steady, inst, w.base, fork->base))
			continue;
		if (found || !cfg_precedes(cfg, i, fork->ins) ||
		    cfg->loop_of[cfg_block_of(ir, cfg->fn, fn_reg(ir, cfg->fn, made->dst)->def)] !=
			fork->loop)
			return false;
		found = i;
	}
	return steady_but(m->steady, inst, cfg->loops[fork->loop].header, fork->at, ir->ptr_bytes,
			  found) &&
	       (found || batch_holds_own(m, inst, fork->base));
}

Val
batch_handle(const Cfg *cfg, InsId *fork)
{
	const Ir *ir = cfg->ir;
	const Ins *ins = ir_ins(ir, *fork);
	const Block *b = fn_block(ir, cfg->fn, cfg_block_of(ir, cfg->fn, *fork));

	if (ins->op == OP_FORK && ins_arg(ir, ins, 0))
		return ins_arg(ir, ins, 0);
	for (InsId i = *fork + 1; ins->dst && i < b->ins + b->nins; i++)
		if (ir_ins(ir, i)->op == OP_STORE &&
		    batch_strip(ir, cfg->fn, ins_arg(ir, ir_ins(ir, i), 1)) == ins->dst) {
			*fork = i;
			return ins_arg(ir, ir_ins(ir, i), 0);
		}
	return 0;
}

/* Is v the handle of the fork: its result, or loaded from a local that only it stores to? */
static bool
is_handle_of(const Cfg *cfg, InsId fork, Val v)
{
	const Ir *ir = cfg->ir;
	const Ins *def = batch_def(ir, cfg->fn, v), *local;

	if (def == ir_ins(ir, fork))
		return (def->flags & INS_HANDLE) != 0;
	local = def && def->op == OP_LOAD ? batch_def(ir, cfg->fn, ins_arg(ir, def, 0)) : NULL;
	if (!local || local->op != OP_ALLOC || local->sub != ALLOC_STACK ||
	    batch_strip(ir, cfg->fn, ins_arg(ir, ir_ins(ir, fork), 0)) != local->dst ||
	    !cfg_precedes(cfg, fork, fn_reg(ir, cfg->fn, def->dst)->def))
		return false;
	for (InsId i = cfg->fn->ins; i < cfg->fn->ins + cfg->fn->nins; i++)
		for (u32 k = 0; k < ir_ins(ir, i)->narg; k++)
			if (ins_arg(ir, ir_ins(ir, i), k) == local->dst &&
			    ir_ins(ir, i)->op != OP_LOAD && (i != fork || k))
				return false;
	return true;
}

/* If the function does nothing but return the handle of its one fork: the fork is as good as one
 * at the function's only call. */
static void
climb_to_call(Matcher *m, InstId *inst, InsId *fork)
{
	const Cfg *cfg = batch_cfg(m, *inst);
	const Ir *ir = cfg->ir;
	bool returned = false;

	if (cfg_in_cycle(cfg, cfg_block_of(ir, cfg->fn, *fork)))
		return;
	for (InsId i = cfg->fn->ins; i < cfg->fn->ins + cfg->fn->nins; i++) {
		const Ins *ret = ir_ins(ir, i);
		if (ret->op != OP_RET)
			continue;
		if (!ret->narg || !is_handle_of(cfg, *fork, ins_arg(ir, ret, 0)))
			return;
		returned = true;
	}
	if (returned)
		climb(m->t->pta, inst, fork);
}

/* Do the loops of fork o and of the join match?  *owned becomes false where the handles may be
 * another instance's. */
static bool
match_fork(Matcher *m, const Obj *o, InstId inst, InsId id, const Walk *join, Walk *fork,
	   bool *owned)
{
	const Pta *p = m->t->pta;
	InstId by = o->inst;
	InsId at = o->ins;
	Val to;
	const Cfg *fc;

	if (o->kind != OBJ_THREAD)
		return false;
	climb_to_call(m, &by, &at);
	fc = batch_cfg(m, by);
	to = batch_handle(fc, &at);
	if (!to || !batch_walk(m, by, fc, at, to, fork) ||
	    !batch_same_array(m, by, fork, inst, join) || !batch_covers(m, by, fork, inst, join) ||
	    (fork->points && !keeps_pointers(m, by, fc, fork)))
		return false;
	*owned &= owns_handles(m->t, by, inst, ins_arg(p->ir, ir_ins(p->ir, id), 0));
	return true;
}

/* Is no handle of these forks lost to another's? */
static bool
all_apart(Matcher *m, const Batches *found, InstId inst, const WalkList *forks)
{
	for (u32 i = 0; i < forks->n; i++)
		for (u32 k = 0; k < i; k++)
			if (found->at[i].fork_inst != inst || found->at[k].fork_inst != inst ||
			    !batch_apart(m, inst, forks, i, k))
				return false;
	return true;
}

/* Matches all forks whose handles the join may wait for; *pieces: some store a part of them;
 * *owned: all in memory of their thread's own. */
static Within
match_all(Matcher *m, InstId inst, InsId id, const Walk *join, Batches *found, WalkList *forks,
	  bool *pieces, bool *owned)
{
	const Pta *p = m->t->pta;
	Val handle = ins_arg(p->ir, ir_ins(p->ir, id), 0);
	Within all = WITHIN_ALWAYS;
	bool self = false; /* does a thread store its own handle, as a rule where it was stored? */

	*pieces = false;
	SET_FOR (it, pta_pts(p, inst, handle)) {
		const Obj *o = pta_obj(p, pta_slot(p, it.x)->obj);
		Walk fork = {0};
		Batch b;
		if (o->kind == OBJ_SELF && batch_own_handle(m, pta_pts(p, inst, handle), o)) {
			self = true;
			continue;
		}
		if (!match_fork(m, o, inst, id, join, &fork, owned)) {
			if (!batch_piece(m, o, inst, join, &fork) ||
			    !owns_handles(m->t, inst, inst, handle))
				return WITHIN_NOT;
			*pieces = true;
		}
		batch_fill(m, o, inst, id, &fork, join, &b);
		vec_push(m->arena, found, b);
		vec_push(m->arena, forks, fork);
	}
	for (u32 k = 0; *pieces && all && k < forks->n; k++)
		all = MIN(all, batch_within(m, inst, forks, k, join));
	return self ? MIN(all, WITHIN_LIKELY) : all;
}

/* The same for threads whose handles are cells of their objects. */
static bool
match_started(Matcher *m, InstId inst, InsId id, const Walk *join, u32 field, Batches *found)
{
	const Pta *p = m->t->pta;

	SET_FOR (it, pta_pts(p, inst, ins_arg(p->ir, ir_ins(p->ir, id), 0))) {
		Batch b;
		if (!batch_started(m, pta_obj(p, pta_slot(p, it.x)->obj), inst, id, join, field,
				   &b))
			return false;
		vec_push(m->arena, found, b);
	}
	return true;
}

/* Adds a batch for each fork whose handles the join may wait for, if all of
 * them match it: then the array holds those of the fork that came last, or of all of them
 * if their elements are apart. */
static void
match_join(Matcher *m, InstId inst, InsId id)
{
	const Pta *p = m->t->pta;
	const Ir *ir = p->ir;
	const Ins *ins = ir_ins(ir, id);
	const Ins *load = batch_def(ir, pta_fn(p, inst), ins_arg(ir, ins, 0));
	const Cfg *jc = batch_cfg(m, inst);
	Batches found = {0};
	WalkList forks = {0};
	Walk join;
	bool pieces = false, always = true, owned = true;
	Within all = WITHIN_ALWAYS;
	u32 field = 0;

	if (!load || load->op != OP_LOAD || ins->flags & INS_TRY)
		return;
	if (ins->flags & INS_RECURSIVE
		? !batch_object_walk(m, inst, id, &join, &field) ||
		      !match_started(m, inst, id, &join, field, &found)
		: !batch_walk(m, inst, jc, id, ins_arg(ir, load, 0), &join) ||
		      !((always = batch_every_round(jc, &join)) ||
			batch_unless_null(m, inst, jc, &join, load)) ||
		      !(all = match_all(m, inst, id, &join, &found, &forks, &pieces, &owned)))
		return;
	if (forks.n)
		all = MIN(all, batch_stay(m, &found, &forks, inst, &join, load));
	if (!all)
		return;
	for (u32 i = 0; !always && i < forks.n; i++)
		if (found.at[i].here ||
		    !batch_keeps_handles(m, found.at[i].loop_inst, &forks.at[i], inst, &join))
			return;
	if (found.n == 1 && forks.n && all == WITHIN_ALWAYS &&
	    batch_takes_back(m, jc, &found.at[0], &join))
		vec_push(m->arena, m->taken, ((InstPoint){inst, id}));
	if (!owned)
		return;
	for (u32 i = 0; i < found.n; i++)
		found.at[i].several = found.n > 1;
	if (found.n > 1 && forks.n && all_apart(m, &found, inst, &forks))
		for (u32 i = 0; i < found.n; i++)
			found.at[i].several = false;
	else if (pieces && found.n > 1)
		return;
	if (all == WITHIN_LIKELY)
		vec_push(m->arena, m->likely, ((InstPoint){inst, id}));
	for (u32 i = 0; all == WITHIN_ALWAYS && i < found.n; i++)
		vec_push(m->arena, m->out, found.at[i]);
}

void
order_batches(const Threads *t, Steady *steady, Arena *a, Batches *out, InstPoints *taken,
	      InstPoints *likely)
{
	const Pta *p = t->pta;
	Matcher m = {
	    .t = t, .arena = a, .out = out, .taken = taken, .likely = likely, .steady = steady};

	m.cfgs = arena_array(a, Cfg *, p->ir->fns.n);

	for (InstId i = 1; i < p->insts.n; i++) {
		u32 n;
		const InsId *at = acts_of(&t->acts, pta_inst(p, i)->fn, &n);
		for (u32 k = 0; k < n; k++)
			if (ir_ins(p->ir, at[k])->op == OP_JOIN)
				match_join(&m, i, at[k]);
	}
}

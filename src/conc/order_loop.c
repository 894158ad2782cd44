/* order_loop.c - create-all and join-all loops, and handles of one's own.
 *
 *	for (i = 0; i < n; i++) create(&h[i], ...);
 *	for (j = 0; j < n; j++) join(h[j]);
 *
 * act on the whole fork site if both loops walk the same array with counters
 * that cover the same elements: the same start, step and bound as one value,
 * or the creating loop's counter at its end as the bound (as after a failed
 * create).  In two functions, start and bound must be the same constants and
 * the array the same object.  Every fork whose handles
 * the array may hold must match, and the array be this thread's own or the one
 * array of a fork that one unique thread runs: else
 * another instance could have stored its handles there.
 *
 * Where the handle is a cell of an object, as a Java thread's, the array holds
 * the objects:
 *
 *	for (i = 0; i < n; i++) { a[i] = new T(); a[i].start(); }
 *	for (j = 0; j < n; j++) a[j].join();
 *
 * Then each element must be an object of its own, made in the round that stores
 * it; and all stores to the array are in the creating loop, before the fork, or
 * in a loop that cannot run again before all have been joined. */
#include "conc/order_int.h"

#include "conc/access.h"
#include "conc/sign.h"
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
		if ((o->kind != OBJ_STACK && o->kind != OBJ_HEAP) ||
		    threads_shared(t, pta_slot(p, it.x)->obj))
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

/* Does the edge say that the fork failed? */
static bool
failed_on(const Cfg *cfg, const Ins *fork, Arc arc)
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

/* Is the loop left, other than by its test, only where this round's create
 * failed?  Then the elements below the counter are all that were stored. */
static bool
leaves_on_failure(const Cfg *cfg, const Walk *fork)
{
	const Loop *loop = &cfg->loops[fork->loop];

	for (u32 i = loop->exit; i < loop->exit + loop->nexit; i++)
		if (cfg->loop_exits[i].from != fork->count.test &&
		    !failed_on(cfg, ir_ins(cfg->ir, fork->ins), cfg->loop_exits[i]))
			return false;
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

/* Is the walked array the same object on both sides? */
static bool
same_array(const Pta *p, InstId fi, const Walk *fork, InstId ji, const Walk *join)
{
	const Set *x, *y;

	if (fork->stride != join->stride)
		return false;
	if (fi == ji)
		return fork->base == join->base;
	x = pta_pts(p, fi, fork->base);
	y = pta_pts(p, ji, join->base);
	return set_count(x) == 1 && set_eq(x, y) && pta_slot_exact(p, set_first(x));
}

typedef struct Matcher {
	const Threads *t;
	Arena *arena;
	Cfg **cfgs; /* [FnId] */
	Batches *out;
} Matcher;

static const Cfg *
cfg_of(Matcher *m, InstId inst)
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
	for (u32 depth = 0; depth < 4; depth++) {
		const Inst *in = pta_inst(p, inst);
		const Edge *e;
		const Ins *call;
		v = strip(p->ir, pta_fn(p, inst), v);
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
	cfg = cfg_of(m, o.inst);
	def = fn_reg(cfg->ir, cfg->fn, o.val)->def;
	return !def || !cfg_in_cycle(cfg, cfg_block_of(cfg->ir, cfg->fn, def));
}

static bool
same_bound(Matcher *m, InstId fi, Val x, InstId ji, Val y, bool in_turn)
{
	const Pta *p = m->t->pta;
	Origin a = origin_of(p, fi, x), b = origin_of(p, ji, y);

	if (val_is_const(a.val) || val_is_const(b.val))
		return same_value(p->ir, pta_fn(p, ji), a.val, b.val);
	return a.inst == b.inst && a.val == b.val && (in_turn || settled(m, a));
}

/* Does the join loop cover exactly what the fork loop stored?  in_turn: each
 * join loop follows a fork loop of the same round, so that both see the same
 * values. */
static bool
covers(Matcher *m, InstId fi, const Walk *fork, InstId ji, const Walk *join)
{
	const Counter *f = &fork->count, *j = &join->count;
	const Cfg *cfg = cfg_of(m, fi);
	bool here = fi == ji;
	bool in_turn = here && cfg_dominates(cfg, cfg->loops[fork->loop].header,
					     cfg->loops[join->loop].header);

	if ((here && fork->loop == join->loop) || f->iv.step != j->iv.step || f->pred != j->pred)
		return false;
	if (!same_bound(m, fi, f->iv.init, ji, j->iv.init, in_turn))
		return false;
	if (same_bound(m, fi, f->bound, ji, j->bound, in_turn))
		return true;
	return in_turn && leaves_on_failure(cfg, fork) && counter_at_end(cfg, fork, j->bound);
}

/* Does one thread run the fork, of which there is one? */
static bool
sole_maker(const Threads *t, InstId fork_inst)
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
	       sole_maker(t, fork_inst);
}

static void
fill_batch(Matcher *m, const Obj *o, InstId inst, InsId id, const Walk *fork, const Walk *join,
	   Batch *out)
{
	const Cfg *fc = cfg_of(m, o->inst);

	*out = (Batch){.fork = o->ins,
		       .fork_inst = o->inst,
		       .join = id,
		       .join_inst = inst,
		       .fork_head = fc->loops[fork->loop].header,
		       .join_head = join->count.test,
		       .join_exit = join->count.exit};
	for (BlockId b = 1; b <= fc->fn->nblock; b++)
		if (cfg_loop_has(fc, fork->loop, b))
			set_add(m->arena, &out->fork_body, b);
}

/* Do the loops of fork o and of the join match?  Fills *out. */
static bool
match_fork(Matcher *m, const Obj *o, InstId inst, InsId id, const Walk *join, Batch *out)
{
	const Pta *p = m->t->pta;
	Val handle = ins_arg(p->ir, ir_ins(p->ir, id), 0), to;
	const Cfg *fc;
	Walk fork;

	if (o->kind != OBJ_THREAD)
		return false;
	fc = cfg_of(m, o->inst);
	to = ins_arg(p->ir, ir_ins(p->ir, o->ins), 0);
	if (!to || !find_walk(fc, o->ins, to, &fork) ||
	    !same_array(p, o->inst, &fork, inst, join) || !covers(m, o->inst, &fork, inst, join) ||
	    !owns_handles(m->t, o->inst, inst, handle))
		return false;
	fill_batch(m, o, inst, id, &fork, join, out);
	return true;
}

/* ---- handles in objects ---------------------------------------------------- */

/* The object whose cell addr is, and the cell; 0 none. */
static Val
cell_of(const Ir *ir, const Fn *fn, Val addr, u32 *field)
{
	const Ins *def = defined_by(ir, fn, addr);

	if (!def || def->op != OP_FIELD || def->sub != 1)
		return 0;
	*field = def->aux;
	return strip(ir, fn, ins_arg(ir, def, 0));
}

/* The address that v is loaded from; 0: it is not. */
static Val
loaded_from(const Ir *ir, const Fn *fn, Val v)
{
	const Ins *def = defined_by(ir, fn, v);

	return def && def->op == OP_LOAD ? ins_arg(ir, def, 0) : 0;
}

/* Does i, in the block of a join, throw only where there is no thread to wait
 * for: as it finds no object, or no element? */
static bool
throws_without(const Ir *ir, const Fn *fn, const Ins *i, Val obj)
{
	u32 field;

	return !(i->flags & INS_THROWS) ||
	       (i->op == OP_LOAD &&
		(i->dst == obj || cell_of(ir, fn, ins_arg(ir, i, 0), &field) == obj));
}

/* Does a round go on without the join where its block throws? */
static bool
skipped_by_throw(const Cfg *cfg, const Walk *w, Val obj)
{
	const Block *b = fn_block(cfg->ir, cfg->fn, cfg_block_of(cfg->ir, cfg->fn, w->ins));

	if (!b->exc || !cfg_loop_has(cfg, w->loop, b->exc))
		return false;
	for (InsId i = b->ins; i <= w->ins; i++)
		if (!throws_without(cfg->ir, cfg->fn, ir_ins(cfg->ir, i), obj))
			return true;
	return false;
}

/* The object that the handle of the fork is stored to, in that cell; 0 none. */
static Val
started_object(const Ir *ir, const Fn *fn, InsId fork, u32 field)
{
	const Block *b = fn_block(ir, fn, cfg_block_of(ir, fn, fork));

	for (InsId i = fork + 1; i < b->ins + b->nins; i++) {
		const Ins *s = ir_ins(ir, i);
		u32 at = 0;
		Val obj = s->op == OP_STORE && ins_arg(ir, s, 1) == ir_ins(ir, fork)->dst
			      ? cell_of(ir, fn, ins_arg(ir, s, 0), &at)
			      : 0;
		if (obj && at == field)
			return obj;
	}
	return 0;
}

/* Does ins come before other in each round of their common loop? */
static bool
comes_first(const Cfg *cfg, InsId ins, InsId other)
{
	BlockId b = cfg_block_of(cfg->ir, cfg->fn, ins), o = cfg_block_of(cfg->ir, cfg->fn, other);

	return b == o ? ins < other : cfg_dominates(cfg, b, o);
}

/* Can block `to` run behind block `from`, without the loop of the join having
 * been left by its end? */
static bool
reaches_before(Arena *a, const Cfg *cfg, BlockId from, BlockId to, const Walk *join)
{
	bool *seen = arena_array(a, bool, cfg->fn->nblock + 1);
	VecU32 todo = {0};
	bool found = false;

	vec_push(a, &todo, from);
	while (todo.n && !found) {
		BlockId b = todo.at[--todo.n];
		GRAPH_FOR (s, &cfg->succ, b) {
			found |= *s == to;
			if (seen[*s] || (b == join->count.test && *s == join->count.exit))
				continue;
			seen[*s] = true;
			vec_push(a, &todo, *s);
		}
	}
	return found;
}

/* The array of objects that a fork and a join walk through. */
typedef struct Walks {
	InstId fork_inst, join_inst;
	InsId fork;
	Val started; /* the object that is started */
	Walk at_fork, at_join;
} Walks;

/* Is the store, to an element of the array, one that leaves each element what
 * was started there?  See above. */
static bool
harmless_store(Matcher *m, const Walks *ws, InstId inst, InsId id)
{
	const Ins *s = ir_ins(m->t->pta->ir, id), *made;
	const Cfg *cfg = cfg_of(m, inst);
	Val v = s->op == OP_STORE ? strip(cfg->ir, cfg->fn, ins_arg(cfg->ir, s, 1)) : 0;
	InsId def = val_is_reg(v) ? fn_reg(cfg->ir, cfg->fn, v)->def : 0;
	Walk w;

	if (!def || inst != ws->fork_inst || !find_walk(cfg, id, ins_arg(cfg->ir, s, 0), &w))
		return false;
	made = ir_ins(cfg->ir, def);
	if (made->op != OP_ALLOC || cfg->loop_of[cfg_block_of(cfg->ir, cfg->fn, def)] != w.loop)
		return false;
	if (w.loop == ws->at_fork.loop)
		return comes_first(cfg, id, ws->fork) ||
		       (v == ws->started && inst == ws->join_inst &&
			cfg_block_of(cfg->ir, cfg->fn, id) ==
			    cfg_block_of(cfg->ir, cfg->fn, ws->fork));
	return inst == ws->join_inst && ws->at_fork.base == ws->at_join.base &&
	       !reaches_before(m->arena, cfg, cfg_block_of(cfg->ir, cfg->fn, ws->fork),
			       cfg_block_of(cfg->ir, cfg->fn, id), &ws->at_join);
}

/* May two addresses be of one object? */
static bool
same_objects(const Pta *p, const Set *x, const Set *y)
{
	SET_FOR (i, x)
		SET_FOR (k, y)
			if (pta_slot(p, i.x)->obj == pta_slot(p, k.x)->obj)
				return true;
	return false;
}

/* Do all that write to the array, whoever they are, leave it so? */
static bool
array_stays(Matcher *m, const Walks *ws)
{
	const Pta *p = m->t->pta;
	const Set *array = pta_pts(p, ws->join_inst, ws->at_join.base);

	for (InstId i = 1; i < p->insts.n; i++) {
		const Fn *fn = pta_fn(p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
			const Ins *ins = ir_ins(p->ir, id);
			Touch touch[2];
			u32 n = access_touches(p->ir, id, touch);
			for (u32 k = 0; k < n; k++)
				if (touch[k].flags & ACC_WRITE &&
				    same_objects(p, array, pta_pts(p, i, touch[k].addr)) &&
				    !(ins->flags & INS_FINAL) && !harmless_store(m, ws, i, id))
					return false;
			for (u32 k = 0; ins->op == OP_EXTERN && k < ins->narg; k++)
				if (same_objects(p, array, pta_pts(p, i, ins_arg(p->ir, ins, k))))
					return false;
		}
	}
	return true;
}

/* Where the fork walks: what it starts is an element, or becomes one in the
 * same round. */
static bool
fork_walk(Matcher *m, InstId inst, InsId fork, Val obj, Walk *out)
{
	const Cfg *cfg = cfg_of(m, inst);
	const Ir *ir = cfg->ir;
	u32 loop = cfg->loop_of[cfg_block_of(ir, cfg->fn, fork)];
	Val from = loaded_from(ir, cfg->fn, obj);

	if (from)
		return find_walk(cfg, fork, from, out);
	for (InsId i = cfg->fn->ins; i < cfg->fn->ins + cfg->fn->nins; i++) {
		const Ins *s = ir_ins(ir, i);
		if (s->op == OP_STORE && strip(ir, cfg->fn, ins_arg(ir, s, 1)) == obj &&
		    find_walk(cfg, i, ins_arg(ir, s, 0), out) && out->loop == loop)
			return true;
	}
	return false;
}

/* The handle is a cell of an element of the array that the join's loop walks. */
static bool
find_object_walk(Matcher *m, InstId inst, InsId join, Walk *w, u32 *field)
{
	const Cfg *cfg = cfg_of(m, inst);
	const Ir *ir = cfg->ir;
	Val handle = loaded_from(ir, cfg->fn, ins_arg(ir, ir_ins(ir, join), 0));
	Val obj = handle ? cell_of(ir, cfg->fn, handle, field) : 0;
	Val from = obj ? loaded_from(ir, cfg->fn, obj) : 0;

	return from && find_walk(cfg, join, from, w) && every_round(cfg, w) &&
	       !skipped_by_throw(cfg, w, obj);
}

/* The same for threads whose handles are cells of their objects. */
static bool
match_started(Matcher *m, const Obj *o, InstId inst, InsId id, const Walk *join, u32 field,
	      Batch *out)
{
	const Pta *p = m->t->pta;
	Walks ws = {.fork_inst = o->inst, .join_inst = inst, .fork = o->ins, .at_join = *join};

	if (o->kind != OBJ_THREAD)
		return false;
	ws.started = started_object(p->ir, pta_fn(p, o->inst), o->ins, field);
	if (!ws.started || !fork_walk(m, o->inst, o->ins, ws.started, &ws.at_fork) ||
	    !same_array(p, o->inst, &ws.at_fork, inst, join) ||
	    !covers(m, o->inst, &ws.at_fork, inst, join) || !sole_maker(m->t, o->inst) ||
	    !array_stays(m, &ws))
		return false;
	fill_batch(m, o, inst, id, &ws.at_fork, join, out);
	return true;
}

/* Adds a batch for each fork whose handles the join may wait for, if all of
 * them match it: then the array holds those of the fork that came last. */
static void
match_join(Matcher *m, InstId inst, InsId id)
{
	const Pta *p = m->t->pta;
	const Ir *ir = p->ir;
	const Ins *ins = ir_ins(ir, id);
	Val handle = ins_arg(ir, ins, 0), from = loaded_from(ir, pta_fn(p, inst), handle);
	const Set *pts = pta_pts(p, inst, handle);
	const Cfg *jc = cfg_of(m, inst);
	bool objects = ins->flags & INS_RECURSIVE;
	Batches found = {0};
	Batch batch;
	Walk join;
	u32 field = 0;

	if (!from || ins->flags & INS_TRY)
		return;
	if (objects ? !find_object_walk(m, inst, id, &join, &field)
		    : !find_walk(jc, id, from, &join) || !every_round(jc, &join))
		return;
	SET_FOR (it, pts) {
		const Obj *o = pta_obj(p, pta_slot(p, it.x)->obj);
		if (objects ? !match_started(m, o, inst, id, &join, field, &batch)
			    : !match_fork(m, o, inst, id, &join, &batch))
			return;
		batch.several = set_count(pts) > 1;
		vec_push(m->arena, &found, batch);
	}
	for (u32 i = 0; i < found.n; i++)
		vec_push(m->arena, m->out, found.at[i]);
}

void
order_batches(const Threads *t, Arena *a, Batches *out)
{
	const Pta *p = t->pta;
	Matcher m = {t, a, arena_array(a, Cfg *, p->ir->fns.n), out};

	for (InstId i = 1; i < p->insts.n; i++) {
		const Fn *fn = pta_fn(p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++)
			if (ir_ins(p->ir, id)->op == OP_JOIN)
				match_join(&m, i, id);
	}
}

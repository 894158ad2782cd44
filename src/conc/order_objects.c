/* order_objects.c - join-all loops over arrays of objects.
 *
 * Where the handle is a cell of an object, as a Java thread's, the array holds
 * the objects:
 *
 *	for (i = 0; i < n; i++) { a[i] = new T(); a[i].start(); }
 *	for (j = 0; j < n; j++) a[j].join();
 *
 * Then each element must be an object of its own, made in the round that stores
 * it; and all stores to the array are in the creating loop, before the fork, or
 * in a loop that cannot run again before all have been joined.
 *
 * Where the handles are members of objects that an array of pointers leads to (C), the array may have been
 * filled before.  If whoever writes to it, anywhere in the program, stores an object that was made for
 * just that store, no two elements lead to one object, however often it was filled. */
#include "conc/order_loop.h"

#include "conc/access.h"

/* The object whose cell addr is, and the cell; 0 none. */
static Val
cell_of(const Ir *ir, const Fn *fn, Val addr, u32 *field)
{
	const Ins *def = batch_def(ir, fn, addr);

	if (!def || def->op != OP_FIELD || def->sub != 1)
		return 0;
	*field = def->aux;
	return batch_strip(ir, fn, ins_arg(ir, def, 0));
}

/* The address that v is loaded from; 0: it is not. */
static Val
loaded_from(const Ir *ir, const Fn *fn, Val v)
{
	const Ins *def = batch_def(ir, fn, v);

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

/* Does the store put an object somewhere that was made just for it? */
static bool
stores_new(Matcher *m, InstId inst, InsId id)
{
	const Cfg *cfg = batch_cfg(m, inst);
	const Ins *s = ir_ins(cfg->ir, id), *made;
	Val v = s->op == OP_STORE ? batch_strip(cfg->ir, cfg->fn, ins_arg(cfg->ir, s, 1)) : 0;
	InsId def = val_is_reg(v) ? fn_reg(cfg->ir, cfg->fn, v)->def : 0;
	BlockId at = cfg_block_of(cfg->ir, cfg->fn, id);
	u32 loop = cfg->loop_of[at];

	made = def ? ir_ins(cfg->ir, def) : NULL;
	if (!made || !batch_makes(m->t->pta, inst, made) || cfg->loops[loop].irreducible ||
	    cfg->loop_of[cfg_block_of(cfg->ir, cfg->fn, def)] != loop ||
	    (!loop && cfg_in_cycle(cfg, at)) || !cfg_precedes(cfg, def, id))
		return false;
	for (InsId i = cfg->fn->ins; i < cfg->fn->ins + cfg->fn->nins; i++)
		if (i != id && ir_ins(cfg->ir, i)->op == OP_STORE &&
		    batch_strip(cfg->ir, cfg->fn, ins_arg(cfg->ir, ir_ins(cfg->ir, i), 1)) == v)
			return false;
	return true;
}

/* Is an object that was made for just that element stored before the threads are started, as where
 * the array is listed, and not again before all have been joined? */
static bool
stored_before(Matcher *m, const Walks *ws, InstId inst, InsId id)
{
	const Cfg *cfg = batch_cfg(m, inst);

	return inst == ws->fork_inst && inst == ws->join_inst &&
	       ws->at_fork.base == ws->at_join.base && stores_new(m, inst, id) &&
	       !reaches_before(m->arena, cfg, cfg_block_of(cfg->ir, cfg->fn, ws->fork),
			       cfg_block_of(cfg->ir, cfg->fn, id), &ws->at_join);
}

/* Is the store, to an element of the array, one that leaves each element what
 * was started there?  See above. */
static bool
harmless_store(Matcher *m, const Walks *ws, InstId inst, InsId id)
{
	const Ins *s = ir_ins(m->t->pta->ir, id), *made;
	const Cfg *cfg = batch_cfg(m, inst);
	Val v = s->op == OP_STORE ? batch_strip(cfg->ir, cfg->fn, ins_arg(cfg->ir, s, 1)) : 0;
	InsId def = val_is_reg(v) ? fn_reg(cfg->ir, cfg->fn, v)->def : 0;
	Walk w;

	if (stored_before(m, ws, inst, id))
		return true;
	if (!def || inst != ws->fork_inst ||
	    !batch_walk(m, inst, cfg, id, ins_arg(cfg->ir, s, 0), &w) || w.points)
		return false;
	made = ir_ins(cfg->ir, def);
	if (!batch_makes(m->t->pta, inst, made) ||
	    cfg->loop_of[cfg_block_of(cfg->ir, cfg->fn, def)] != w.loop)
		return false;
	if (w.loop == ws->at_fork.loop && !batch_same_element(&w, &ws->at_fork))
		return false;
	if (w.loop == ws->at_fork.loop)
		return cfg_precedes(cfg, id, ws->fork) ||
		       (v == ws->started && inst == ws->join_inst &&
			cfg_block_of(cfg->ir, cfg->fn, id) ==
			    cfg_block_of(cfg->ir, cfg->fn, ws->fork));
	return inst == ws->join_inst && ws->at_fork.base == ws->at_join.base &&
	       !reaches_before(m->arena, cfg, cfg_block_of(cfg->ir, cfg->fn, ws->fork),
			       cfg_block_of(cfg->ir, cfg->fn, id), &ws->at_join);
}

/* Is there a pointer in one of the objects from the start? */
static bool
has_pointers(const Pta *p, const Set *at)
{
	SET_FOR (it, at) {
		const Obj *o = pta_obj(p, pta_slot(p, it.x)->obj);
		if (o->kind != OBJ_STACK && o->kind != OBJ_HEAP &&
		    (o->kind != OBJ_GLOBAL || p->ir->globals.at[o->ref].ninit))
			return true;
	}
	return false;
}

bool
batch_holds_own(Matcher *m, InstId inst, Val array)
{
	const Pta *p = m->t->pta;
	const Set *at = pta_pts(p, inst, array);

	if (set_empty(at) || has_pointers(p, at))
		return false;
	for (InstId i = 1; i < p->insts.n; i++) {
		const Fn *fn = pta_fn(p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
			const Ins *ins = ir_ins(p->ir, id);
			Touch touch[2];
			u32 n = access_touches(p->ir, id, touch);
			for (u32 k = 0; k < n; k++)
				if (touch[k].flags & ACC_WRITE && !(touch[k].flags & ACC_FREE) &&
				    same_objects(p, at, pta_pts(p, i, touch[k].addr)) &&
				    !stores_new(m, i, id))
					return false;
			for (u32 k = 0; ins->op == OP_EXTERN && k < ins->narg; k++)
				if (same_objects(p, at, pta_pts(p, i, ins_arg(p->ir, ins, k))))
					return false;
		}
	}
	return true;
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
	const Cfg *cfg = batch_cfg(m, inst);
	const Ir *ir = cfg->ir;
	u32 loop = cfg->loop_of[cfg_block_of(ir, cfg->fn, fork)];
	Val from = loaded_from(ir, cfg->fn, obj);

	if (from)
		return batch_walk(m, inst, cfg, fork, from, out) && !out->points;
	for (InsId i = cfg->fn->ins; i < cfg->fn->ins + cfg->fn->nins; i++) {
		const Ins *s = ir_ins(ir, i);
		if (s->op == OP_STORE && batch_strip(ir, cfg->fn, ins_arg(ir, s, 1)) == obj &&
		    batch_walk(m, inst, cfg, i, ins_arg(ir, s, 0), out) && !out->points &&
		    out->loop == loop)
			return true;
	}
	return false;
}

/* The handle is a cell of an element of the array that the join's loop walks. */
bool
batch_object_walk(Matcher *m, InstId inst, InsId join, Walk *w, u32 *field)
{
	const Cfg *cfg = batch_cfg(m, inst);
	const Ir *ir = cfg->ir;
	Val handle = loaded_from(ir, cfg->fn, ins_arg(ir, ir_ins(ir, join), 0));
	Val obj = handle ? cell_of(ir, cfg->fn, handle, field) : 0;
	Val from = obj ? loaded_from(ir, cfg->fn, obj) : 0;

	return from && batch_walk(m, inst, cfg, join, from, w) && !w->points &&
	       batch_every_round(cfg, w) && !skipped_by_throw(cfg, w, obj);
}

/* The same for threads whose handles are cells of their objects. */
bool
batch_started(Matcher *m, const Obj *o, InstId inst, InsId id, const Walk *join, u32 field,
	      Batch *out)
{
	const Pta *p = m->t->pta;
	Walks ws = {.fork_inst = o->inst, .join_inst = inst, .fork = o->ins, .at_join = *join};

	if (o->kind != OBJ_THREAD)
		return false;
	ws.started = started_object(p->ir, pta_fn(p, o->inst), o->ins, field);
	if (!ws.started || !fork_walk(m, o->inst, o->ins, ws.started, &ws.at_fork) ||
	    !batch_same_array(m, o->inst, &ws.at_fork, inst, join) ||
	    !batch_covers(m, o->inst, &ws.at_fork, inst, join) ||
	    !batch_sole_maker(m->t, o->inst) || !array_stays(m, &ws))
		return false;
	batch_fill(m, o, inst, id, &ws.at_fork, join, out);
	return true;
}

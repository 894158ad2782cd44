/* order_null.c - handles that are zero as long as no thread was started.
 *
 *	if (h) join(h);
 *	for (i = 0; i < n; i++) if (h[i]) join(h[i]);
 *
 * No thread has zero for its handle.  Where a handle is found to be zero, its thread
 * is not running if nothing but forks has stored to it.  A single one may also
 * be set to zero behind a join of it, or before the fork, if it is only ever that of one unique thread, and the one
 * that looks is the one that joins, or forks.
 * Elements of an array may have been anything before the loop that forks, and are their
 * owner's to change once they were joined. */
#include "conc/order_loop.h"

#include "conc/access.h"
#include "conc/sign.h"

/* ---- loops that join ------------------------------------------------------------------ */

/* The load that found zero, as the fact says; 0 none. */
static InsId
null_load(const Ir *ir, const Fn *fn, const SignFact *fact)
{
	InsId def = fact->mask == SIGN_ZERO ? fn_reg(ir, fn, fact->reg)->def : 0;

	return def && ir_ins(ir, def)->op == OP_LOAD && ir_ins(ir, def)->order == ORDER_PLAIN ? def
											      : 0;
}

/* Is the load in the join's loop, of the element that the round joins? */
static bool
loads_handle(Matcher *m, InstId inst, const Cfg *cfg, const Walk *join, const Ins *handle,
	     InsId load)
{
	const Ins *ins = ir_ins(cfg->ir, load);
	Walk w;

	if (ins == handle)
		return true;
	return ins->width == handle->width &&
	       batch_walk(m, inst, cfg, load, ins_arg(cfg->ir, ins, 0), &w) &&
	       w.loop == join->loop && batch_same_element(&w, join) &&
	       batch_same_array(m, inst, &w, inst, join);
}

/* Is the edge only taken where the round's handle is zero? */
static bool
on_null(Matcher *m, InstId inst, const Cfg *cfg, const Walk *join, const Ins *handle, BlockId b,
	u32 succ)
{
	SignFact facts[SIGN_FACTS];
	u32 n = sign_edge(cfg->ir, cfg->fn, fn_block(cfg->ir, cfg->fn, b), succ, facts);

	for (u32 i = 0; i < n; i++) {
		InsId load = null_load(cfg->ir, cfg->fn, &facts[i]);
		if (load && loads_handle(m, inst, cfg, join, handle, load))
			return true;
	}
	return false;
}

bool
batch_unless_null(Matcher *m, InstId inst, const Cfg *cfg, const Walk *join, const Ins *handle)
{
	const Ir *ir = cfg->ir;
	BlockId at = cfg_block_of(ir, cfg->fn, join->ins), head = cfg->loops[join->loop].header;
	VecU32 todo = {0};
	Set seen = {0};
	bool sure = at != head;

	if (sure)
		vec_push(m->arena, &todo, head);
	while (todo.n && sure) {
		BlockId from = todo.at[--todo.n];
		const Block *b = fn_block(ir, cfg->fn, from);
		for (u32 k = 0; k < b->nsucc; k++) {
			BlockId to = ir->succs.at[b->succ + k];
			if (to == at || !cfg_loop_has(cfg, join->loop, to) ||
			    on_null(m, inst, cfg, join, handle, from, k))
				continue;
			sure &= to != head;
			if (set_add(m->arena, &seen, to))
				vec_push(m->arena, &todo, to);
		}
	}
	return sure;
}

/* The stores to the round's element in the join's loop, behind the join. */
static void
add_taken_out(Matcher *m, InstId inst, const Cfg *cfg, const Walk *join, SteadyWrites *out)
{
	const Fn *fn = cfg->fn;

	for (InsId i = fn->ins; i < fn->ins + fn->nins; i++) {
		const Ins *s = ir_ins(cfg->ir, i);
		Walk w;
		if (s->op == OP_STORE && cfg_precedes(cfg, join->ins, i) &&
		    batch_walk(m, inst, cfg, i, ins_arg(cfg->ir, s, 0), &w) &&
		    w.loop == join->loop && batch_same_element(&w, join) &&
		    batch_same_array(m, inst, &w, inst, join))
			vec_push(m->arena, out, ((SteadyWrite){inst, i}));
	}
}

bool
batch_keeps_handles(Matcher *m, InstId fork_inst, const Walk *fork, InstId inst, const Walk *join)
{
	const Cfg *cfg = batch_cfg(m, inst);
	const Ir *ir = cfg->ir;
	const Ins *handle = batch_def(ir, cfg->fn, ins_arg(ir, ir_ins(ir, join->ins), 0));
	SteadyWrites spared = {0};

	if (fork_inst != inst || !fork->loop)
		return false;
	vec_push(m->arena, &spared, ((SteadyWrite){inst, fork->ins}));
	add_taken_out(m, inst, cfg, join, &spared);
	return steady_between_but(
	    m->steady, inst, fn_block(ir, cfg->fn, cfg->loops[fork->loop].header)->ins,
	    fn_block(ir, cfg->fn, join->count.exit)->ins,
	    pta_pts(m->t->pta, inst, ins_arg(ir, handle, 0)), (handle->width + 7u) / 8, &spared);
}

/* ---- single handles ------------------------------------------------------------------- */

static bool
changes_nothing(const Ins *ins)
{
	switch (ins->op) {
	case OP_ALLOC:
	case OP_COPY:
	case OP_FIELD:
	case OP_INDEX:
	case OP_LOAD:
	case OP_CMP:
	case OP_BIN:
	case OP_CAST: return true;
	default: return false;
	}
}

/* Does nothing happen between two instructions of one block? */
static bool
at_once(const Ir *ir, const Fn *fn, InsId from, InsId to)
{
	if (from >= to || cfg_block_of(ir, fn, from) != cfg_block_of(ir, fn, to))
		return false;
	for (InsId i = from + 1; i < to; i++)
		if (!changes_nothing(ir_ins(ir, i)))
			return false;
	return true;
}

/* Does the write store the handle of a fork, before anyone can look? */
static bool
stores_handle(const Ir *ir, const Fn *fn, InsId id)
{
	const Ins *ins = ir_ins(ir, id), *def;

	if (ins->op == OP_FORK)
		return true;
	def = ins->op == OP_STORE ? batch_def(ir, fn, ins_arg(ir, ins, 1)) : NULL;
	return def && def->op == OP_FORK && def->flags & INS_HANDLE &&
	       at_once(ir, fn, fn_reg(ir, fn, def->dst)->def, id);
}

/* Does the write store zero, where a join of the handle there has passed? */
static bool
clears_joined(Order *o, InstId inst, InsId id, SlotId slot)
{
	const Ir *ir = o->ir;
	const Fn *fn = pta_fn(o->p, inst);
	const Ins *store = ir_ins(ir, id);
	Val v = store->op == OP_STORE ? ins_arg(ir, store, 1) : 0;
	bool found = false;
	Cfg cfg;

	if (!v || sign_of(ir, v) != SIGN_ZERO)
		return false;
	cfg_build(&cfg, o->arena, ir, fn);
	for (InsId i = fn->ins; i < fn->ins + fn->nins && !found; i++) {
		const Ins *join = ir_ins(ir, i);
		const Ins *load =
		    join->op == OP_JOIN ? batch_def(ir, fn, ins_arg(ir, join, 0)) : NULL;
		const Set *at =
		    load && load->op == OP_LOAD ? pta_pts(o->p, inst, ins_arg(ir, load, 0)) : NULL;
		found = at && set_single(at) && set_first(at) == slot && !(join->flags & INS_TRY) &&
			cfg_precedes(&cfg, i, id);
	}
	return found;
}

/* The one thread that runs inst; 0 several, or several of it. */
static ThreadId
sole_thread(const Order *o, InstId inst)
{
	ThreadId found = 0;

	for (ThreadId x = 1; x < o->t->at.n; x++)
		if (set_has(&o->t->insts[x], inst)) {
			if (found || !thread_get(o->t, x)->unique)
				return 0;
			found = x;
		}
	return found;
}

/* Does the write store zero where the thread was not started yet? */
static bool
clears_before(const Order *o, InstId inst, InsId id, const Set *threads)
{
	const Ins *store = ir_ins(o->ir, id);
	Val v = store->op == OP_STORE ? ins_arg(o->ir, store, 1) : 0;

	return v && sign_of(o->ir, v) == SIGN_ZERO && set_single(threads) &&
	       order_before_start(o, set_first(threads), inst, id);
}

/* Is that all that the write does, and always by the same thread?  Notes which. */
static bool
clears_only(Order *o, InstId inst, InsId id, SlotId slot, NullEdge *e)
{
	ThreadId by = sole_thread(o, inst);

	if (!by || (e->only && e->only != by) ||
	    (!clears_before(o, inst, id, &e->threads) && !clears_joined(o, inst, id, slot)))
		return false;
	e->only = by;
	return true;
}

/* May ins store anything but handles to the place, itself or by unknown code?  One that only
 * clears what was joined does not if the thread is started once. */
static bool
spoils(Order *o, InstId inst, InsId id, SlotId slot, u32 bytes, bool once, NullEdge *e)
{
	const Fn *fn = pta_fn(o->p, inst);
	const Ins *ins = ir_ins(o->ir, id);
	Touch touch[2];
	u32 n = access_touches(o->ir, id, touch);
	bool meets = false;

	for (u32 k = 0; k < n; k++)
		if (touch[k].flags & ACC_WRITE)
			SET_FOR (it, pta_pts(o->p, inst, touch[k].addr))
				meets |= pta_overlap(o->p, slot, bytes, it.x, touch[k].size);
	for (u32 k = 0; (ins->op == OP_EXTERN || ins->op == OP_PUBLISH) && k < ins->narg; k++)
		SET_FOR (it, pta_pts(o->p, inst, ins_arg(o->ir, ins, k)))
			if (pta_slot(o->p, it.x)->obj == pta_slot(o->p, slot)->obj)
				return true;
	return meets && !stores_handle(o->ir, fn, id) &&
	       !(once && clears_only(o, inst, id, slot, e));
}

static bool
only_handles(Order *o, SlotId slot, u32 bytes, bool once, NullEdge *e)
{
	for (InstId i = 1; i < o->p->insts.n; i++) {
		const Fn *fn = pta_fn(o->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++)
			if (spoils(o, i, id, slot, bytes, once, e))
				return false;
	}
	return true;
}

/* The threads that the handle may be that of; false if it may be anything else.  *once: that
 * is one which is started once. */
static bool
threads_of(const Order *o, const Set *handle, Set *out, bool *once)
{
	*once = set_single(handle);
	SET_FOR (it, handle) {
		const Obj *obj = pta_obj(o->p, pta_slot(o->p, it.x)->obj);
		if (obj->kind != OBJ_THREAD)
			return false;
		for (ThreadId x = 2; x < o->t->at.n; x++) {
			const Thread *th = thread_get(o->t, x);
			if (th->fork != obj->ins || th->fork_inst != obj->inst)
				continue;
			*once &= th->unique;
			set_add(o->arena, out, x);
		}
	}
	return !set_empty(out);
}

/* Adds the edge, if it tells that the thread of a single handle is not running. */
static void
note_edge(Order *o, InstId inst, BlockId from, u32 succ)
{
	const Ir *ir = o->ir;
	const Fn *fn = pta_fn(o->p, inst);
	const Block *b = fn_block(ir, fn, from);
	SignFact facts[SIGN_FACTS];
	u32 n = sign_edge(ir, fn, b, succ, facts);

	for (u32 i = 0; i < n; i++) {
		InsId load = null_load(ir, fn, &facts[i]);
		const Set *at = load ? pta_pts(o->p, inst, ins_arg(ir, ir_ins(ir, load), 0)) : NULL;
		u32 bytes = load ? (ir_ins(ir, load)->width + 7u) / 8 : 0;
		NullEdge e = {.inst = inst, .from = from, .succ = succ};
		bool once = false;
		if (at && set_single(at) && pta_slot_exact(o->p, set_first(at)) &&
		    pta_obj(o->p, pta_slot(o->p, set_first(at))->obj)->kind != OBJ_EXTERN &&
		    threads_single(o->t, pta_slot(o->p, set_first(at))->obj) &&
		    at_once(ir, fn, load, b->ins + b->nins - 1) &&
		    threads_of(o, pta_pts(o->p, inst, facts[i].reg), &e.threads, &once) &&
		    only_handles(o, set_first(at), bytes ? bytes : ir->ptr_bytes, once, &e))
			vec_push(o->arena, &o->nulls, e);
	}
}

/* Only functions that join have use for it. */
void
order_find_nulls(Order *o)
{
	for (InstId i = 1; i < o->p->insts.n; i++) {
		const Fn *fn = pta_fn(o->p, i);
		bool joins = false;
		u32 n;
		const InsId *at = acts_of(&o->t->acts, pta_inst(o->p, i)->fn, &n);
		for (u32 k = 0; k < n; k++)
			joins |= ir_ins(o->ir, at[k])->op == OP_JOIN;
		for (BlockId b = 1; joins && b <= fn->nblock; b++)
			for (u32 k = 0; fn_block(o->ir, fn, b)->nsucc == 2 && k < 2; k++)
				note_edge(o, i, b, k);
	}
}

OrderId
order_null_handle(Order *o, const Frame *f, BlockId from, u32 succ, OrderId s)
{
	OrderState st = order_get(o, s);

	for (u32 i = 0; i < o->nulls.n; i++) {
		const NullEdge *e = &o->nulls.at[i];
		if (e->inst != f->inst || e->from != from || e->succ != succ ||
		    (e->only && e->only != f->thread))
			continue;
		SET_FOR (it, &e->threads) {
			st.running = setpool_del(&o->sets, st.running, it.x);
			st.many = setpool_del(&o->sets, st.many, it.x);
		}
	}
	return order_intern(o, st);
}

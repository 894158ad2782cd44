/* order_task.c - waiting for all threads that are known by an address.
 *
 * A library that runs what it was given later, and perhaps again (a timer, a
 * piece of work, an interrupt), knows it by the object that it was given with,
 * and can be told to wait until it runs no more, or to cancel it.  Then none of
 * the threads that were forked by that name runs any more: whoever has started
 * them, as long as that was this thread or one that has ended.  R says so: it
 * has a thread by that name itself, or one that may start it and stands for
 * both.  What such a thread has forked itself, by other names, stays; where
 * that may fork the thread anew, so does the thread.
 *
 * A name is a kind, and one address of one concrete object, on both sides. */
#include "conc/order_int.h"
#include "conc/sign.h"

/* A kind of task, as the model has it, and what one of that kind is known by. */
typedef struct Name {
	Val kind;    /* a constant */
	SlotId slot; /* 0: of several, or none */
} Name;

/* The only place that v is the address of; 0: there may be others. */
static SlotId
one_place(const Order *o, InstId inst, Val v)
{
	const Set *pts = v ? pta_pts(o->p, inst, v) : NULL;
	SlotId slot = pts && set_single(pts) ? set_first(pts) : 0;

	if (!slot || pta_slot(o->p, slot)->stride ||
	    !threads_single(o->t, pta_slot(o->p, slot)->obj))
		return 0;
	return slot;
}

/* What names the threads of the fork; 0: nothing. */
static InsId
naming(const Order *o, InstId inst, InsId fork)
{
	const Fn *fn = pta_fn(o->p, inst);

	if (!(ir_ins(o->ir, fork)->flags & INS_NAMED))
		return 0;
	while (fork > fn->ins &&
	       (ir_ins(o->ir, fork)->op != OP_TASK || ir_ins(o->ir, fork)->sub != TASK_NAME))
		fork--;
	return ir_ins(o->ir, fork)->op == OP_TASK ? fork : 0;
}

static bool
is_named(const Order *o, ThreadId x, Name name)
{
	const Thread *th = thread_get(o->t, x);
	InsId at = th->parent && !th->adopted && !threads_is_crew(o->t, x)
		       ? naming(o, th->fork_inst, th->fork)
		       : 0;
	bool yes = false;

	for (u32 k = 0; at && k + 1 < ir_ins(o->ir, at)->narg; k += 2)
		yes |= ins_arg(o->ir, ir_ins(o->ir, at), k) == name.kind &&
		       one_place(o, th->fork_inst, ins_arg(o->ir, ir_ins(o->ir, at), k + 1)) ==
			   name.slot;
	return yes;
}

/* The threads of that name that may be running. */
static void
find_named(Order *o, Name name, OrderState s, Set *out)
{
	set_clear(out);
	SET_FOR (it, setpool_get(&o->sets, s.running))
		if (is_named(o, it.x, name))
			set_add(o->arena, out, it.x);
}

/* Were they forked by one call of the library, each once? */
static bool
of_one_call(const Order *o, const Set *named, OrderState s)
{
	ThreadId first = set_first(named);

	SET_FOR (it, named) {
		const Thread *x = thread_get(o->t, it.x), *y = thread_get(o->t, first);
		if (set_has(setpool_get(&o->sets, s.many), it.x) || x->folded ||
		    x->parent != y->parent || x->fork_inst != y->fork_inst ||
		    naming(o, x->fork_inst, x->fork) != naming(o, y->fork_inst, y->fork))
			return false;
	}
	return true;
}

/* Is something running that x has started, and that may start it again? */
static bool
may_return(const Order *o, ThreadId x, Name name, OrderState s)
{
	if (!thread_get(o->t, x)->folded)
		return false;
	SET_FOR (it, setpool_get(&o->sets, s.running))
		if (it.x != x && threads_within(o->t, x, it.x) && !is_named(o, it.x, name))
			return true;
	return false;
}

/* Without those threads, but with what they have started; 0: one never ends. */
static OrderId
without(Order *o, const Set *named, OrderId before)
{
	OrderId after = before;

	SET_FOR (it, named)
		after = after ? order_end_of(o, it.x, after) : 0;
	return after;
}

/* What the threads had started by the same name is gone, too.  Each round adds
 * to `gone`. */
static OrderId
cancel(Order *o, Name name, OrderId before)
{
	Set named = {0}, gone = {0};
	OrderId after = before;
	OrderState s;

	for (;;) {
		bool more = false;
		s = order_get(o, after);
		find_named(o, name, s, &named);
		SET_FOR (it, &named)
			more |= set_add(o->arena, &gone, it.x);
		if (!more)
			break;
		after = without(o, &named, after);
		if (!after)
			return 0;
	}
	SET_FOR (it, &gone)
		if (!may_return(o, it.x, name, s)) {
			s.running = setpool_del(&o->sets, s.running, it.x);
			s.many = setpool_del(&o->sets, s.many, it.x);
		} else {
			s.running = setpool_add(&o->sets, s.running, it.x);
			s.many = setpool_add(&o->sets, s.many, it.x);
		}
	set_recycle(o->arena, &named);
	set_recycle(o->arena, &gone);
	return order_intern(o, s);
}

/* Where the edge says that what was to be named did not take place, and that
 * was tried this once, nothing of it runs. */
OrderId
order_not_named(Order *o, const Frame *f, BlockId from, u32 succ, OrderId s)
{
	const Fn *fn = pta_fn(o->p, f->inst);
	const Flow *flow = flow_of(o->t->flows, pta_inst(o->p, f->inst)->fn);
	SignFact facts[SIGN_FACTS];
	u32 n = sign_edge(o->ir, fn, fn_block(o->ir, fn, from), succ, facts);
	OrderState st = order_get(o, s);

	for (u32 i = 0; i < n; i++) {
		InsId id = fn_reg(o->ir, fn, facts[i].reg)->def;
		const Ins *def = ir_ins(o->ir, id);
		if (!id || def->op != OP_TASK || !def->cond || facts[i].mask & def->cond ||
		    flow->cyclic[cfg_block_of(o->ir, fn, id)] ||
		    !thread_get(o->t, f->thread)->unique ||
		    set_has(&o->t->many[f->thread], f->inst))
			continue;
		SET_FOR (it, setpool_get(&o->sets, order_get(o, s).running)) {
			const Thread *x = thread_get(o->t, it.x);
			if (x->parent != f->thread || x->fork_inst != f->inst || x->folded ||
			    naming(o, x->fork_inst, x->fork) != id)
				continue;
			st.running = setpool_del(&o->sets, st.running, it.x);
			st.many = setpool_del(&o->sets, st.many, it.x);
		}
	}
	return order_intern(o, st);
}

OrderId
order_task(Order *o, InstId inst, const Ins *ins, OrderId before)
{
	Name name = {ins_arg(o->ir, ins, 0), one_place(o, inst, ins_arg(o->ir, ins, 1))};
	OrderState s = order_get(o, before);
	OrderId after = before;
	Set named = {0};

	if (!name.slot || ins->sub == TASK_NAME)
		return before;
	find_named(o, name, s, &named);
	if (ins->sub == TASK_FINISH)
		after = without(o, &named, before);
	else if (!set_empty(&named) && (ins->sub == TASK_CANCEL || of_one_call(o, &named, s)))
		after = cancel(o, name, before);
	set_recycle(o->arena, &named);
	return after;
}

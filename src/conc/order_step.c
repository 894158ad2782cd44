/* order_step.c - how instructions and edges change who is running.  The rules
 * are at the top of order.c. */
#include "conc/order_int.h"
#include "conc/sign.h"

enum { MAIN = 1 };

/* ---- transfer ------------------------------------------------------------ */

bool
order_batched(const Order *o, InstId inst, InsId fork)
{
	for (u32 i = 0; i < o->batches.n; i++)
		if (o->batches.at[i].fork == fork && o->batches.at[i].fork_inst == inst &&
		    o->batches.at[i].fork_head)
			return true;
	return false;
}

/* A child begins knowing what its creator knew to have ended. */
static void
begin_thread(Order *o, ThreadId x, OrderId creator)
{
	OrderState s = {.ended = order_get(o, creator).ended};
	OrderId start = order_join(o, o->start[x], order_intern(o, s));

	set_add(o->arena, &o->forks[x], creator);
	if (start != o->start[x]) {
		o->start[x] = start;
		for (ThreadId y = x; y < o->t->at.n; y++)
			if (thread_get(o->t, y)->crew == x)
				order_again(
				    o, order_need_frame(o, x, thread_get(o->t, y)->start, start));
	}
}

static OrderId
step_fork(Order *o, ThreadId t, InstId inst, InsId ins, OrderId before)
{
	OrderState s = order_get(o, before);
	bool batched = order_batched(o, inst, ins);
	u8 cond = ir_ins(o->ir, ins)->cond;
	bool repeats = ir_ins(o->ir, ins)->flags & INS_REPEATS;
	u32 n;
	const Edge *e = pta_targets(o->p, inst, ins, &n);

	for (u32 i = 0; i < n; i++) {
		ThreadId x = threads_child(o->t, t, inst, ins, e[i].to);
		if (!e[i].fork || !x)
			continue;
		if (o->cur)
			begin_thread(o, x, before);
		if (repeats || (!batched && set_has(setpool_get(&o->sets, s.running), x)))
			s.many = setpool_add(&o->sets, s.many, x);
		s.running = setpool_add(&o->sets, s.running, x);
		if (n == 1 && o->passes_null && (!cond || cond == SIGN_ANY))
			s.ended = setpool_add(&o->sets, s.ended, order_started(o, x));
	}
	return order_intern(o, s);
}

/* Adds the threads that a fork makes, whoever runs it: some may be folded into those of others. */
static void
name_forked(const Order *o, const Obj *handle, Set *out)
{
	u32 n;
	const Edge *e = pta_targets(o->p, handle->inst, handle->ins, &n);

	for (ThreadId up = 1; up < o->t->at.n; up++)
		for (u32 i = 0; i < n; i++) {
			ThreadId x = threads_child(o->t, up, handle->inst, handle->ins, e[i].to);
			if (x)
				set_add(o->arena, out, x);
		}
}

/* Adds the threads that a handle may name; false if it may be anything else.  One that a thread
 * has found out for itself has to be that of a thread that it may be of anyway, or
 * only of the main thread. */
bool
order_named(const Order *o, InstId inst, Val handle, Set *out)
{
	const Set *pts = pta_pts(o->p, inst, handle);
	bool self = false, main = false;

	SET_FOR (it, pts) {
		const Obj *obj = pta_obj(o->p, pta_slot(o->p, it.x)->obj);
		if (!pta_is_thread(obj))
			return false;
		self |= obj->kind == OBJ_SELF;
		if (obj->kind == OBJ_THREAD)
			name_forked(o, obj, out);
	}
	SET_FOR (it, pts) {
		const Obj *obj = pta_obj(o->p, pta_slot(o->p, it.x)->obj);
		if (!self || obj->kind != OBJ_SELF || threads_run_only(o->t, obj->inst, out))
			continue;
		if (!threads_main_only(o->t, obj->inst))
			return false;
		main = true;
	}
	if (main && !set_empty(out))
		return false;
	if (main)
		set_add(o->arena, out, MAIN);
	return !set_empty(out);
}

/* The one of the named threads that is t's own and may be running; 0 if there
 * are several or it may run more than once at a time.  One that is not running
 * was never started or has been joined, and is not joined again. */
static ThreadId
only_running(const Order *o, ThreadId t, const Set *named, bool all_own, OrderState s)
{
	ThreadId found = 0;

	SET_FOR (it, named) {
		const Thread *th = thread_get(o->t, it.x);
		if (th->parent != t && all_own)
			return 0;
		if (th->parent != t || !set_has(setpool_get(&o->sets, s.running), it.x))
			continue;
		if (found || th->folded || set_has(setpool_get(&o->sets, s.many), it.x))
			return 0;
		found = it.x;
	}
	return found;
}

/* The one thread that a join of handle by t waits for; 0 if that is not
 * certain.  Either the handle names one thread in all, or only threads of
 * this very t: it is unique and their only parent, or the handle is its own. */
static ThreadId
joined_thread(const Order *o, ThreadId t, InstId inst, Val handle, OrderState s)
{
	Set named = {0};
	ThreadId x = 0;

	if (order_named(o, inst, handle, &named)) {
		x = set_first(&named);
		if (set_count(&named) > 1 || !thread_get(o->t, x)->unique)
			x = 0;
		if (!x && thread_get(o->t, t)->unique)
			x = only_running(o, t, &named, true, s);
		if (!x && order_private(o->t, inst, handle))
			x = only_running(o, t, &named, false, s);
	}
	set_recycle(o->arena, &named);
	return x;
}

OrderId
order_end_of(Order *o, ThreadId x, OrderId before)
{
	OrderState s = order_get(o, before), e;

	if (o->cur)
		set_add(o->arena, &o->end_users[x], o->cur);
	if (!o->end[x])
		return 0; /* it never ends, as far as is known yet */
	e = order_get(o, o->end[x]);
	s.running = setpool_del(&o->sets, s.running, x);
	s.many = setpool_del(&o->sets, s.many, x);
	s.running = setpool_union(&o->sets, s.running, e.running);
	s.many = setpool_union(&o->sets, s.many, e.many);
	if (thread_get(o->t, x)->unique) {
		s.ended = setpool_add(&o->sets, s.ended, x);
		s.ended = setpool_union(&o->sets, s.ended, e.ended);
	}
	return order_intern(o, s);
}

/* The same for a join that passes if the thread was not started yet, and that
 * may be repeated: the thread is the only one, and was certainly started; or the
 * one that was started last, on the same object. */
static ThreadId
started_thread(Order *o, ThreadId t, InstId inst, InsId join, OrderState s)
{
	Set named = {0};
	ThreadId x = 0, own = 0;

	if (order_named(o, inst, ins_arg(o->ir, ir_ins(o->ir, join), 0), &named) &&
	    set_single(&named)) {
		x = set_first(&named);
		if (!thread_get(o->t, x)->unique && order_own_start(o, inst, join))
			own = only_running(o, t, &named, false, s);
	}
	set_recycle(o->arena, &named);
	if (own)
		return own;
	if (!x || !thread_get(o->t, x)->unique || !order_sure_handle(o, inst, join) ||
	    !set_has(setpool_get(&o->sets, s.ended), order_started(o, x)))
		return 0;
	return x;
}

/* Those of the named threads that may be running, if at most one of them was started; else
 * none. */
static void
alternatives(Order *o, ThreadId t, const Set *named, OrderState s, Set *out)
{
	const Set *running = setpool_get(&o->sets, s.running),
		  *many = setpool_get(&o->sets, s.many);
	bool fits = thread_get(o->t, t)->unique;

	SET_FOR (it, named) {
		const Thread *th = thread_get(o->t, it.x);
		fits &= th->parent == t && !set_has(many, it.x) &&
			!order_batched(o, th->fork_inst, th->fork);
		if (!fits)
			break;
		if (!set_has(running, it.x))
			continue;
		SET_FOR (other, out)
			fits &= order_either(o, it.x, other.x);
		set_add(o->arena, out, it.x);
	}
	if (!fits)
		set_clear(out);
}

/* The one of them that was started has ended, and the others never run. */
static OrderId
end_of_either(Order *o, const Set *alternatives, OrderId before)
{
	OrderId after = 0;

	SET_FOR (it, alternatives) {
		OrderState s = order_get(o, before);
		SET_FOR (other, alternatives) {
			if (other.x == it.x)
				continue;
			s.running = setpool_del(&o->sets, s.running, other.x);
			s.ended = setpool_add(&o->sets, s.ended, other.x);
		}
		after = order_join(o, after, order_end_of(o, it.x, order_intern(o, s)));
	}
	return after;
}

static OrderId
join_either(Order *o, ThreadId t, InstId inst, Val handle, OrderId before)
{
	Set named = {0}, running = {0};

	if (order_named(o, inst, handle, &named) && !set_single(&named))
		alternatives(o, t, &named, order_get(o, before), &running);
	if (set_count(&running) > 1)
		before = end_of_either(o, &running, before);
	set_recycle(o->arena, &named);
	set_recycle(o->arena, &running);
	return before;
}

static OrderId
step_join(Order *o, ThreadId t, InstId inst, InsId id, OrderId before)
{
	const Ins *ins = ir_ins(o->ir, id);
	OrderState s = order_get(o, before);
	ThreadId x;

	if (ins->flags & INS_RECURSIVE)
		x = started_thread(o, t, inst, id, s);
	else
		x = joined_thread(o, t, inst, ins_arg(o->ir, ins, 0), s);
	if (x == t)
		return before; /* who waits for itself is told so, and goes on */
	/* Of those that a loop makes it is one; all have ended when the joining loop has. */
	if (x && order_batched(o, thread_get(o->t, x)->fork_inst, thread_get(o->t, x)->fork))
		return before;
	if (!x && !(ins->flags & INS_RECURSIVE))
		return join_either(o, t, inst, ins_arg(o->ir, ins, 0), before);
	return x ? order_end_of(o, x, before) : before;
}

static OrderId
step_signal(Order *o, InstId inst, InsId ins, OrderId before)
{
	u32 k = tokens_find(&o->tokens, ins, inst);
	OrderState s = order_get(o, before);
	OrderId all;

	if (!k)
		return before;
	all = order_join(o, o->sent[k], before);
	if (o->cur && all != o->sent[k]) {
		o->sent[k] = all;
		order_enqueue_all(o, &o->sent_users[k]);
	}
	s.sent = setpool_add(&o->sets, s.sent, k);
	return order_intern(o, s);
}

static OrderId
step_await(Order *o, InstId inst, const Ins *ins, OrderId before)
{
	u32 k = tokens_awaited(&o->tokens, o->p, inst, ins);
	OrderState s = order_get(o, before);

	if (!k)
		return before;
	if (o->cur)
		set_add(o->arena, &o->sent_users[k], o->cur);
	if (!o->sent[k])
		return 0; /* nobody signals it, as far as is known yet */
	s.ended = setpool_add(&o->sets, s.ended, o->t->at.n + k);
	s.ended = setpool_union(&o->sets, s.ended, order_get(o, o->sent[k]).ended);
	return order_intern(o, s);
}

/* May the effect fail, so that only its result tells? */
static bool
conditional(const Ins *ins)
{
	return ins->flags & INS_TRY || (ins->cond && ins->cond != SIGN_ANY);
}

/* One call of each possible callee, united. */
OrderId
order_call(Order *o, ThreadId t, const Edge *e, u32 n, OrderId before, OrderId *raise)
{
	OrderId after = n ? 0 : before;

	for (u32 i = 0; i < n; i++) {
		u32 f;
		if (e[i].fork)
			continue;
		if (!o->moves[e[i].to]) {
			after = order_join(o, after, before);
			*raise = order_join(o, *raise, before);
			continue;
		}
		if (o->cur) {
			f = order_use(o, &e[i], before);
			if (!o->frames.at[f].seen)
				order_solve_now(o, f);
		} else {
			f = order_find_frame(o, t, e[i].to, before);
		}
		after = order_join(o, after, order_of_entry(o, f, o->frames.at[f].exit, before));
		*raise = order_join(o, *raise, order_of_entry(o, f, o->frames.at[f].raise, before));
	}
	return after;
}

static OrderId
step_call(Order *o, ThreadId t, InstId inst, InsId id, OrderId before, OrderId *raise)
{
	const Ins *ins = ir_ins(o->ir, id);
	u32 n;
	const Edge *e = pta_targets(o->p, inst, id, &n);
	OrderId after = order_call(o, t, e, n, before, raise);
	bool repeat = ins->op == OP_EXTERN || ins->sub == CALL_REPEAT;

	if (order_calls_once(ins))
		return after;
	for (;;) {
		OrderId all = order_join(o, before, after);
		if (!repeat || all == before)
			return all;
		before = all;
		after = order_call(o, t, e, n, before, raise);
	}
}

OrderId
order_transfer(Order *o, ThreadId t, InstId inst, InsId id, OrderId s, OrderId *raise)
{
	const Ins *ins = ir_ins(o->ir, id);

	switch (ins->op) {
	case OP_FORK: return step_fork(o, t, inst, id, s);
	case OP_JOIN: /* one that may fail takes effect where its result says so */
		return conditional(ins) ? s : step_join(o, t, inst, id, s);
	case OP_TASK: return order_task(o, inst, ins, s);
	case OP_SIGNAL: return step_signal(o, inst, id, s);
	case OP_AWAIT: return conditional(ins) ? s : step_await(o, inst, ins, s);
	case OP_CALL:
	case OP_CINIT:
	case OP_EXTERN: return step_call(o, t, inst, id, s, raise);
	default: return s;
	}
}

OrderId
order_step(Order *o, ThreadId t, InstId inst, InsId ins, OrderId before)
{
	OrderId raise = 0;

	if (!before || !o->moves[inst])
		return before;
	assert(!o->cur);
	return order_transfer(o, t, inst, ins, before, &raise);
}

/* ---- edges --------------------------------------------------------------- */

/* Applies the joins and waits that take effect only on this edge. */
static OrderId
try_join(Order *o, const Frame *f, const Fn *fn, const Block *b, u32 succ, OrderId s)
{
	SignFact facts[SIGN_FACTS];
	u32 n = sign_edge(o->ir, fn, b, succ, facts);

	for (u32 i = 0; i < n && s; i++) {
		InsId id = fn_reg(o->ir, fn, facts[i].reg)->def;
		const Ins *def = ir_ins(o->ir, id);
		if (!id || !def->cond || (facts[i].mask & ~(u32)def->cond))
			continue;
		if (def->op == OP_JOIN)
			s = step_join(o, f->thread, f->inst, id, s);
		else if (def->op == OP_AWAIT)
			s = step_await(o, f->inst, def, s);
	}
	return s;
}

/* Makes x many if it is running as its creating loop starts anew. */
static OrderId
enter_batch(Order *o, const Frame *f, const Batch *b, OrderId s)
{
	OrderState st = order_get(o, s);
	u32 n;
	const Edge *e = pta_targets(o->p, b->fork_inst, b->fork, &n);

	for (u32 i = 0; i < n; i++) {
		ThreadId x = threads_child(o->t, f->thread, b->fork_inst, b->fork, e[i].to);
		if (x && set_has(setpool_get(&o->sets, st.running), x))
			st.many = setpool_add(&o->sets, st.many, x);
	}
	return order_intern(o, st);
}

/* May a thread of the batch be running, or one that f's thread did not start? */
static bool
batch_runs(const Order *o, const Frame *f, const Batch *b, OrderId s)
{
	u32 n;
	const Edge *e = pta_targets(o->p, b->fork_inst, b->fork, &n);

	for (u32 i = 0; i < n; i++) {
		ThreadId x = threads_child(o->t, f->thread, b->fork_inst, b->fork, e[i].to);
		if (!x || set_has(setpool_get(&o->sets, order_get(o, s).running), x))
			return true;
	}
	return false;
}

/* Of the forks whose handles b's array may hold: does only b's run?  Then
 * it came last, and the handles are its. */
static bool
only_batch(const Order *o, const Frame *f, const Batch *b, OrderId s)
{
	if (!b->several)
		return true;
	for (u32 i = 0; i < o->batches.n; i++) {
		const Batch *k = &o->batches.at[i];
		if (k != b && k->join == b->join && k->join_inst == b->join_inst &&
		    batch_runs(o, f, k, s))
			return false;
	}
	return batch_runs(o, f, b, s);
}

/* All threads of the loop have been joined, unless an earlier batch of them
 * may still run. */
static OrderId
leave_batch(Order *o, const Frame *f, const Batch *b, OrderId s)
{
	u32 n;
	const Edge *e = pta_targets(o->p, b->fork_inst, b->fork, &n);

	if (!only_batch(o, f, b, s))
		return s;
	if (ir_ins(o->ir, b->join)->flags & INS_RECURSIVE &&
	    !order_sure_handle(o, b->join_inst, b->join))
		return s;
	for (u32 i = 0; i < n && s; i++) {
		ThreadId x = threads_child(o->t, f->thread, b->fork_inst, b->fork, e[i].to);
		if (x && !set_has(setpool_get(&o->sets, order_get(o, s).many), x) &&
		    (!b->here || order_starts_itself(o, f, x)))
			s = order_end_of(o, x, s);
	}
	return s;
}

OrderId
order_edge(Order *o, const Frame *f, BlockId from, u32 succ, OrderId s)
{
	const Fn *fn = pta_fn(o->p, f->inst);
	const Block *b = fn_block(o->ir, fn, from);
	BlockId to = o->ir->succs.at[b->succ + succ];

	s = try_join(o, f, fn, b, succ, s);
	if (s && b->nsucc == 2)
		s = order_null_handle(o, f, from, succ, order_not_started(o, f, from, succ, s));
	if (s && b->nsucc == 2)
		s = order_not_named(o, f, from, succ, s);
	for (u32 i = 0; i < o->batches.n && s; i++) {
		const Batch *batch = &o->batches.at[i];
		if (batch->join_inst == f->inst && batch->join_head == from &&
		    batch->join_exit == to)
			s = leave_batch(o, f, batch, s);
		if (s && batch->loop_inst == f->inst && batch->fork_head == to &&
		    !set_has(&batch->fork_body, from))
			s = enter_batch(o, f, batch, s);
	}
	return s;
}

/* order_cond.c - branches that tell that a thread was not started.
 *
 * A thread whose one fork lies behind a condition is often joined behind the
 * same one.  On the way past that join it is not running: the fork was never
 * come to, or failed.  An edge tells so of a fork in the same activation
 *
 *   if the fork's result, as far as the edge says, is that of a failure;
 *   if the fork lies on one side of a branch, and the edge on the other side of
 *   a branch on the same value: neither branch is on a cycle, so that each
 *   comes once, and a register has one value in between;
 *   the same of branches on cycles, if what they compare has one value throughout the
 *   activation: parameters, what is computed once, and memory that nobody writes behind
 *   its loads (`if (n > 1) create(&t[i], f)` in a loop);
 *   if the edge is that of a phi's value, and each way into the phi that gives
 *   this value does not come from the fork, or gives it only if that failed,
 *   and the fork does not lie behind the phi;
 *   if the fork lies in a function that was called, and each way out of that which
 *   returns such a value says so.
 *
 * The thread must be unique and forked by this very function or the called one, so that no other
 * activation has one of it.  Or none of it was running as this activation began; then each of its
 * instructions that may start one, forks and calls, must lie on the other side of such a branch.  Else the fork must lie in the very block that the edge leaves, with
 * nothing behind it that starts or joins: if the thread is not one of many there, none of it was
 * running before that fork, so this was the only one.  Only what defines the condition is looked at, to a
 * fixed depth. */
#include "conc/order_int.h"

#include "conc/sign.h"

enum { DEPTH = 4 };

typedef struct Asked {
	Order *o;
	InstId inst;
	const Fn *fn;
	const Flow *flow;
	InsId fork;
	BlockId at;  /* its block */
	bool cyclic; /* the edge may be taken, or the fork come to, more than once */
} Asked;

/* Is the fork's result that of a failure, if v's sign is in mask? */
static bool
failed(const Asked *q, Val v, u32 mask)
{
	SignFact facts[SIGN_FACTS];
	u32 n = sign_follow(q->o->ir, q->fn, v, mask, facts);
	const Ins *fork = ir_ins(q->o->ir, q->fork);

	for (u32 i = 0; i < n; i++)
		if (fork->dst && fork->cond && facts[i].reg == fork->dst &&
		    !(facts[i].mask & fork->cond))
			return true;
	return false;
}

static const Ins *
def_of(const Asked *q, Val v)
{
	InsId id = val_is_reg(v) ? fn_reg(q->o->ir, q->fn, v)->def : 0;

	return id ? ir_ins(q->o->ir, id) : NULL;
}

/* Does nobody write what the load finds from there on, while this activation runs? */
static bool
stays(const Asked *q, Val v)
{
	const Ir *ir = q->o->ir;
	InsId id = fn_reg(ir, q->fn, v)->def;
	const Ins *load = ir_ins(ir, id);
	u32 bytes = load->width ? (load->width + 7u) / 8 : ir->ptr_bytes;
	u32 *known = map_at(q->o->arena, &q->o->stays, map_pair(q->inst, id));

	if (!*known)
		*known =
		    1 + (load->order == ORDER_PLAIN &&
			 steady_behind(q->o->steady, q->inst, id, ins_arg(ir, load, 0), bytes));
	return *known == 2;
}

/* Are two values the same, wherever in one activation they are asked for? */
static bool
same_value(const Asked *q, Val x, Val y, u32 depth)
{
	const Ir *ir = q->o->ir;
	const Ins *i = def_of(q, x), *k = def_of(q, y);

	if (x == y && (!i || !q->cyclic ||
		       !q->flow->cyclic[cfg_block_of(ir, q->fn, fn_reg(ir, q->fn, x)->def)]))
		return true;
	if (!depth || !i || !k || i->op != k->op || i->sub != k->sub || i->narg != k->narg ||
	    i->width != k->width || i->imm != k->imm)
		return false;
	if (i->op != OP_CMP && i->op != OP_CAST && i->op != OP_BIN && i->op != OP_COPY &&
	    i->op != OP_FIELD && i->op != OP_LOAD)
		return false;
	for (u32 a = 0; a < i->narg; a++)
		if (!same_value(q, ins_arg(ir, i, a), ins_arg(ir, k, a), depth - 1))
			return false;
	return i->op != OP_LOAD || (stays(q, x) && (x == y || stays(q, y)));
}

/* Can control come to block `to` without taking b's edge number succ? */
static bool
avoids(const Asked *q, BlockId b, u32 succ, BlockId to)
{
	const Ir *ir = q->o->ir;
	VecU32 todo = {0};
	Set seen = {0};
	bool found = to == 1;

	vec_push(q->o->arena, &todo, 1);
	set_add(q->o->arena, &seen, 1);
	while (todo.n && !found) {
		BlockId from = todo.at[--todo.n];
		const Block *bl = fn_block(ir, q->fn, from);
		for (u32 k = 0; k <= bl->nsucc; k++) {
			BlockId next = k < bl->nsucc ? ir->succs.at[bl->succ + k] : bl->exc;
			if (!next || (from == b && k == succ) || !set_add(q->o->arena, &seen, next))
				continue;
			found |= next == to;
			vec_push(q->o->arena, &todo, next);
		}
	}
	set_recycle(q->o->arena, &seen);
	arena_recycle(q->o->arena, todo.at, todo.cap * sizeof *todo.at);
	return found;
}

/* Is the fork only come to where cond goes the other way than to succ? */
static bool
on_other_side(const Asked *q, Val cond, u32 succ)
{
	for (BlockId b = 1; b <= q->fn->nblock; b++) {
		const Block *bl = fn_block(q->o->ir, q->fn, b);
		const Ins *end = ir_ins(q->o->ir, bl->ins + bl->nins - 1);
		if (end->op == OP_CBR && (q->cyclic || !q->flow->cyclic[b]) &&
		    same_value(q, ins_arg(q->o->ir, end, 0), cond, DEPTH) &&
		    !avoids(q, b, 1 - succ, q->at))
			return true;
	}
	return false;
}

static bool
reaches(const Asked *q, BlockId from, BlockId b)
{
	VecU32 todo = {0};
	Set seen = {0};
	bool found = b == from;

	vec_push(q->o->arena, &todo, from);
	while (todo.n && !found) {
		BlockId x = todo.at[--todo.n];
		GRAPH_FOR (to, &q->flow->succ, x) {
			found |= *to == b;
			if (set_add(q->o->arena, &seen, *to))
				vec_push(q->o->arena, &todo, *to);
		}
	}
	set_recycle(q->o->arena, &seen);
	arena_recycle(q->o->arena, todo.at, todo.cap * sizeof *todo.at);
	return found;
}

/* Does each way into the phi that gives a value with a sign in mask say so? */
static bool
phi_tells(const Asked *q, const Ins *phi, u32 mask)
{
	for (u32 k = 0; k + 1 < phi->narg; k += 2) {
		Val v = ins_arg(q->o->ir, phi, k + 1);
		if (!(sign_of(q->o->ir, v) & mask) || failed(q, v, mask))
			continue;
		if (reaches(q, q->at, ins_arg(q->o->ir, phi, k)))
			return false;
	}
	return !reaches(q, cfg_block_of(q->o->ir, q->fn, fn_reg(q->o->ir, q->fn, phi->dst)->def),
			q->at);
}

static bool
tells(const Asked *q, const Block *b, u32 succ)
{
	const Ins *end = ir_ins(q->o->ir, b->ins + b->nins - 1);
	SignFact facts[SIGN_FACTS];
	Val cond;
	u32 n;

	if (end->op != OP_CBR)
		return false;
	cond = ins_arg(q->o->ir, end, 0);
	if (failed(q, cond, succ ? SIGN_ZERO : SIGN_NONZERO) || on_other_side(q, cond, succ))
		return true;
	n = sign_edge(q->o->ir, q->fn, b, succ, facts);
	for (u32 i = 0; i < n; i++) {
		const Ins *phi = def_of(q, facts[i].reg);
		if (phi && phi->op == OP_PHI && phi_tells(q, phi, facts[i].mask))
			return true;
	}
	return false;
}

/* Does a result with a sign in mask say so, where v is what the function returns at the end of
 * block b? */
static bool
result_tells(const Asked *q, BlockId b, Val v, u32 mask)
{
	SignFact facts[SIGN_FACTS];
	u32 n;

	if (!(sign_of(q->o->ir, v) & mask) || failed(q, v, mask) || !reaches(q, q->at, b))
		return true;
	n = sign_follow(q->o->ir, q->fn, v, mask, facts);
	for (u32 i = 0; i < n; i++) {
		const Ins *phi = def_of(q, facts[i].reg);
		if (phi && phi->op == OP_PHI && phi_tells(q, phi, facts[i].mask))
			return true;
	}
	return false;
}

/* The same of all its results, in the instance that forks x. */
static bool
results_tell(Order *o, const Thread *x, u32 mask)
{
	const Fn *fn = pta_fn(o->p, x->fork_inst);
	Asked q = {.o = o,
		   .inst = x->fork_inst,
		   .fn = fn,
		   .flow = flow_of(o->t->flows, pta_inst(o->p, x->fork_inst)->fn),
		   .fork = x->fork,
		   .at = cfg_block_of(o->ir, fn, x->fork)};

	for (u32 i = 0; i < q.flow->nrpo; i++) {
		const Block *b = fn_block(o->ir, fn, q.flow->rpo[i]);
		const Ins *end = ir_ins(o->ir, b->ins + b->nins - 1);
		if (end->op == OP_RET &&
		    (!end->narg || !result_tells(&q, q.flow->rpo[i], ins_arg(o->ir, end, 0), mask)))
			return false;
	}
	return true;
}

/* Does the edge tell of a result of the instance that forks x, called here, by which it was not
 * started? */
static bool
call_tells(Order *o, const Frame *f, const Thread *x, const Block *b, u32 succ)
{
	const Fn *fn = pta_fn(o->p, f->inst);
	SignFact facts[SIGN_FACTS];
	u32 n = sign_edge(o->ir, fn, b, succ, facts), targets;

	for (u32 i = 0; i < n; i++) {
		InsId def = fn_reg(o->ir, fn, facts[i].reg)->def;
		const Edge *e;
		if (!def || ir_ins(o->ir, def)->op != OP_CALL ||
		    ir_ins(o->ir, def)->sub != CALL_PLAIN)
			continue;
		e = pta_targets(o->p, f->inst, def, &targets);
		if (targets == 1 && !e->fork && e->to == x->fork_inst &&
		    results_tell(o, x, facts[i].mask))
			return true;
	}
	return false;
}

/* The fork of the block behind which nothing in it can start or join a thread; 0 none. */
static InsId
last_fork(const Order *o, const Block *b)
{
	for (InsId id = b->ins + b->nins; id-- > b->ins;)
		switch (ir_ins(o->ir, id)->op) {
		case OP_FORK: return id;
		case OP_JOIN:
		case OP_CALL:
		case OP_CINIT:
		case OP_AWAIT:
		case OP_EXTERN: return 0;
		default: break;
		}
	return 0;
}

/* The state along an edge of the block that makes the fork, if it tells that this failed. */
static OrderId
just_failed(Order *o, const Frame *f, const Block *b, u32 succ, OrderId s)
{
	InsId fork = last_fork(o, b);
	const Ins *end = ir_ins(o->ir, b->ins + b->nins - 1);
	Asked q = {.o = o, .inst = f->inst, .fn = pta_fn(o->p, f->inst), .fork = fork};
	OrderState st = order_get(o, s);

	if (!fork || end->op != OP_CBR || order_batched(o, f->inst, fork) ||
	    !failed(&q, ins_arg(o->ir, end, 0), succ ? SIGN_ZERO : SIGN_NONZERO))
		return s;
	SET_FOR (it, setpool_get(&o->sets, order_get(o, s).running)) {
		const Thread *x = thread_get(o->t, it.x);
		if (x->parent == f->thread && x->fork_inst == f->inst && x->fork == fork &&
		    !x->folded && !set_has(setpool_get(&o->sets, st.many), it.x))
			st.running = setpool_del(&o->sets, st.running, it.x);
	}
	return order_intern(o, st);
}

bool
order_starts_here(const Order *o, const Frame *f, ThreadId x)
{
	const Thread *t = thread_get(o->t, x);

	return t->parent == f->thread && !t->folded && !t->adopted &&
	       !set_has(setpool_get(&o->sets, order_get(o, f->entry).running), x);
}

bool
order_starts_itself(const Order *o, const Frame *f, ThreadId x)
{
	const Inst *inst = pta_inst(o->p, f->inst);

	if (!order_starts_here(o, f, x))
		return false;
	for (u32 i = inst->edge; i < inst->edge + inst->nedge; i++) {
		const Edge *e = &o->p->edges.at[i];
		if (!e->fork && set_has(setpool_get(&o->sets, o->below[e->to]), x))
			return false;
	}
	return true;
}

/* Does the edge tell that this activation has started none of x, wherever it does that? */
static bool
tells_of_all(Asked *q, const Frame *f, ThreadId x, const Block *b, u32 succ)
{
	const Order *o = q->o;
	const Inst *inst = pta_inst(o->p, f->inst);
	const Thread *t = thread_get(o->t, x);
	const Ins *end = ir_ins(o->ir, b->ins + b->nins - 1);
	InsId last = 0;

	if (end->op != OP_CBR || !order_starts_here(o, f, x))
		return false;
	q->cyclic = true;
	for (u32 i = inst->edge; i < inst->edge + inst->nedge; i++) {
		const Edge *e = &o->p->edges.at[i];
		if (e->ins == last ||
		    (e->fork ? t->fork_inst != f->inst || t->fork != e->ins
			     : !set_has(setpool_get(&o->sets, o->below[e->to]), x)))
			continue;
		q->fork = last = e->ins;
		q->at = cfg_block_of(o->ir, q->fn, e->ins);
		if (!on_other_side(q, ins_arg(o->ir, end, 0), succ))
			return false;
	}
	return last != 0;
}

/* Does it tell that x, of which there is at most one, was not started? */
static bool
tells_of_one(Asked *q, const Frame *f, const Thread *x, const Block *b, u32 succ)
{
	q->cyclic = false;
	if (x->fork_inst != f->inst)
		return call_tells(q->o, f, x, b, succ);
	q->fork = x->fork;
	q->at = cfg_block_of(q->o->ir, q->fn, x->fork);
	return tells(q, b, succ);
}

OrderId
order_not_started(Order *o, const Frame *f, BlockId from, u32 succ, OrderId s)
{
	const Flow *flow = flow_of(o->t->flows, pta_inst(o->p, f->inst)->fn);
	Asked q = {.o = o, .inst = f->inst, .fn = pta_fn(o->p, f->inst), .flow = flow};
	const Block *b = fn_block(o->ir, q.fn, from);
	OrderState st;

	s = just_failed(o, f, b, succ, s);
	st = order_get(o, s);
	SET_FOR (it, setpool_get(&o->sets, order_get(o, s).running)) {
		const Thread *x = thread_get(o->t, it.x);
		if (x->parent != f->thread)
			continue;
		if ((x->unique && !flow->cyclic[from] && tells_of_one(&q, f, x, b, succ)) ||
		    tells_of_all(&q, f, it.x, b, succ)) {
			st.running = setpool_del(&o->sets, st.running, it.x);
			st.many = setpool_del(&o->sets, st.many, it.x);
		}
	}
	return order_intern(o, st);
}

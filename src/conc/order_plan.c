/* order_plan.c - what of an instance can change who is running.
 *
 * Most instructions of an instance that forks, joins, or calls what does, do
 * nothing of that themselves.  Its plan lists those that may, block by block, in
 * order, with one entry for any number of others in a row that may throw: they
 * throw in the same state.  A call is on the list if one of its targets moves, or
 * if all are forks.  Frames of an instance share its plan.
 *
 * A block is live if what its run gives may change while the state at its start
 * stays: other frames, threads or tokens have a say in it.  Only live blocks have
 * to be run again when one of those has changed; states only climb, so what the
 * others gave has been united into the frame's states and exits before. */
#include "conc/order_int.h"

typedef Vec(OrderStep) Steps;

/* Does the call leave the state as it is, whatever state that is? */
static bool
call_is_idle(const Order *o, InstId inst, InsId id, u32 *n)
{
	const Edge *e = pta_targets(o->p, inst, id, n);
	bool called = !*n;

	for (u32 i = 0; i < *n; i++) {
		if (!e[i].fork && o->moves[e[i].to])
			return false;
		called |= !e[i].fork;
	}
	return called;
}

static OrderStep
step_of(const Order *o, InstId inst, InsId id)
{
	const Ins *ins = ir_ins(o->ir, id);
	OrderStep s = {.ins = id, .op = ins->op, .passes = ins_may_throw(ins)};

	/* A model's callback without a receiver does not take place. */
	s.throws = s.passes && !(ins->op == OP_CALL && ins->flags & INS_MODEL);
	s.once = order_calls_once(ins);
	if (s.once)
		s.target = pta_targets(o->p, inst, id, &s.ntarget);
	return s;
}

/* Adds what ins does to the plan of inst. */
static void
plan_ins(Order *o, Steps *steps, u32 first, InstId inst, InsId id)
{
	const Ins *ins = ir_ins(o->ir, id);
	bool throws = ins_may_throw(ins);
	u32 n;

	switch (ins->op) {
	case OP_CALL:
	case OP_CINIT:
	case OP_EXTERN:
		if (!call_is_idle(o, inst, id, &n)) {
			vec_push(o->arena, steps, step_of(o, inst, id));
			return;
		}
		/* A model's callback without a receiver does not take place. */
		throws = throws && (n || !(ins->op == OP_CALL && ins->flags & INS_MODEL));
		break;
	case OP_FORK:
	case OP_JOIN:
	case OP_TASK:
	case OP_SIGNAL:
	case OP_AWAIT:
	case OP_TEXIT:
	case OP_RET: vec_push(o->arena, steps, step_of(o, inst, id)); return;
	default: break;
	}
	if (throws && (steps->n == first || steps->at[steps->n - 1].ins))
		vec_push(o->arena, steps, (OrderStep){0});
}

/* Does the instance itself fork one of those that it, or what it calls, may fork? */
static bool
forks_itself(const Order *o, InstId inst)
{
	SET_FOR (it, setpool_get(&o->sets, o->below[inst]))
		if (thread_get(o->t, it.x)->fork_inst == inst)
			return true;
	return false;
}

/* Can an edge of inst change the state: by a join or wait that its condition
 * settles, a thread that it tells was not started, or a loop that it leaves? */
static bool
edges_tell(const Order *o, InstId inst)
{
	const Inst *in = pta_inst(o->p, inst);
	u32 n;
	const InsId *at = acts_of(&o->t->acts, in->fn, &n);

	for (u32 e = in->edge; e < in->edge + in->nedge; e++)
		if (!o->p->edges.at[e].fork && forks_itself(o, o->p->edges.at[e].to))
			return true;
	for (u32 i = 0; i < n; i++) {
		const Ins *ins = ir_ins(o->ir, at[i]);
		if ((ins->op == OP_JOIN || ins->op == OP_AWAIT) && ins->cond)
			return true;
	}
	for (ThreadId x = 1; x < o->t->at.n; x++)
		if (thread_get(o->t, x)->fork_inst == inst)
			return true;
	for (u32 i = 0; i < o->batches.n; i++)
		if (o->batches.at[i].loop_inst == inst || o->batches.at[i].join_inst == inst)
			return true;
	for (u32 i = 0; i < o->nulls.n; i++)
		if (o->nulls.at[i].inst == inst)
			return true;
	return false;
}

static bool
is_live(const OrderPlan *plan, BlockId b)
{
	bool live = plan->edges;

	for (u32 i = plan->first[b]; i < plan->first[b + 1]; i++)
		live |= plan->steps[i].ins && plan->steps[i].op != OP_RET;
	return live;
}

static OrderPlan *
make_plan(Order *o, InstId inst)
{
	const Fn *fn = pta_fn(o->p, inst);
	const Flow *flow = flow_of(o->t->flows, pta_inst(o->p, inst)->fn);
	OrderPlan *plan = arena_new(o->arena, OrderPlan);
	Steps steps = {0};

	plan->edges = edges_tell(o, inst);
	plan->first = arena_array(o->arena, u32, fn->nblock + 2);
	for (BlockId b = 1; b <= fn->nblock; b++) {
		const Block *block = fn_block(o->ir, fn, b);
		plan->first[b] = steps.n;
		for (u32 i = 0; i < block->nins; i++)
			plan_ins(o, &steps, plan->first[b], inst, block->ins + i);
	}
	plan->first[fn->nblock + 1] = steps.n;
	plan->steps = steps.at;
	plan->ins = arena_array(o->arena, InsId, steps.n);
	for (u32 i = 0; i < steps.n; i++)
		plan->ins[i] = steps.at[i].ins;
	order_find_firsts(o, inst, plan);
	plan->live = arena_array(o->arena, u32, flow->nrpo);
	for (u32 i = 0; i < flow->nrpo; i++)
		if (is_live(plan, flow->rpo[i]))
			plan->live[plan->nlive++] = flow->rpo[i];
	return plan;
}

const OrderPlan *
order_plan(Order *o, InstId inst)
{
	if (!o->plans[inst])
		o->plans[inst] = make_plan(o, inst);
	return o->plans[inst];
}

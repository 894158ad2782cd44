/* fresh_flow.c - how an instance's instructions end freshness.
 *
 * A store publishes the value unless the memory it goes to is itself fresh or
 * can be reached by no other thread.  A store into a parameter's object counts
 * only if that parameter was published: the summary notes it as `given`, and
 * the caller, who knows its argument, decides. */
#include "conc/fresh_int.h"

/* Drops the registers whose objects meet the published ones. */
static bool
kill(Fresh *f, InstId inst, const Set *published, Set *state)
{
	Set dead = {0};
	bool any = false;

	SET_FOR (it, state) {
		Set objs = {0};
		fresh_objects(f, inst, it.x, &objs);
		if (set_meets(&objs, published))
			set_add(f->arena, &dead, it.x);
		set_recycle(f->arena, &objs);
	}
	any = set_minus(state, &dead);
	set_recycle(f->arena, &dead);
	return any;
}

static void
note_always(Fresh *f, const Set *published)
{
	if (f->record)
		set_or(f->arena, &f->record->always, published);
}

/* Notes what is published if one of these root parameters is. */
static void
note_given(Fresh *f, InstId inst, const Val *roots, u32 n, const Set *published)
{
	u32 nparam = MIN(pta_fn(f->p, inst)->nparam, FRESH_PARAMS);

	for (u32 i = 0; i < n && f->record; i++)
		if (roots[i] <= nparam)
			set_or(f->arena, &f->record->given[roots[i] - 1], published);
}

static bool
all_in(const Set *state, const Val *roots, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (!set_has(state, roots[i]))
			return false;
	return true;
}

/* The closed set of objects reaches the memory at addr. */
static void
publish_at(Fresh *f, InstId inst, Val addr, const Set *closed, Set *state)
{
	Val roots[MAX_ROOTS];
	Set to = {0};
	u32 n;

	fresh_objects(f, inst, addr, &to);
	if (set_empty(&to) || set_empty(closed)) {
		set_recycle(f->arena, &to);
		return; /* no other thread sees that memory */
	}
	set_recycle(f->arena, &to);
	if (fresh_roots(f, inst, addr, roots, &n) && all_in(state, roots, n)) {
		note_given(f, inst, roots, n, closed);
		return;
	}
	note_always(f, closed);
	kill(f, inst, closed, state);
}

static void
publish_value(Fresh *f, InstId inst, Val addr, Val v, Set *state)
{
	Set objs = {0}, closed = {0};

	fresh_objects(f, inst, v, &objs);
	if (!set_empty(&objs)) {
		fresh_close(f, &objs, &closed);
		if (addr) {
			publish_at(f, inst, addr, &closed, state);
		} else {
			note_always(f, &closed);
			kill(f, inst, &closed, state);
		}
	}
	set_recycle(f->arena, &objs);
	set_recycle(f->arena, &closed);
}

/* A block copy publishes what the source's memory points to. */
static void
publish_copy(Fresh *f, InstId inst, const Ins *ins, Set *state)
{
	Set held = {0}, closed = {0};

	SET_FOR (it, pta_pts(f->p, inst, ins_arg(f->ir, ins, 1))) {
		Set slots = {0};
		pta_contents(f->p, it.x, f->arena, &slots);
		SET_FOR (s, &slots)
			if (threads_shared(f->t, pta_slot(f->p, s.x)->obj))
				set_add(f->arena, &held, pta_slot(f->p, s.x)->obj);
		/* The copied range may hold more cells than this slot's. */
		set_or(f->arena, &held, &f->holds[pta_slot(f->p, it.x)->obj]);
		set_recycle(f->arena, &slots);
	}
	fresh_close(f, &held, &closed);
	publish_at(f, inst, ins_arg(f->ir, ins, 0), &closed, state);
	set_recycle(f->arena, &held);
	set_recycle(f->arena, &closed);
}

/* What one call of `to` publishes, given which arguments are fresh; arguments
 * that lose their freshness by it are looked at again. */
static void
publish_call(Fresh *f, InstId inst, const Ins *ins, InstId to, Set *state)
{
	const PubSum *s = &f->sums[to];
	u32 n = MIN(pta_fn(f->p, to)->nparam, FRESH_PARAMS);
	bool again = true;

	note_always(f, &s->always);
	kill(f, inst, &s->always, state);
	while (again && s->given) {
		again = false;
		for (u32 i = 0; i < n && i + 1 < ins->narg; i++) {
			Val arg = ins_arg(f->ir, ins, i + 1);
			u32 before = set_count(state);
			if (!set_empty(&s->given[i]))
				publish_at(f, inst, arg, &s->given[i], state);
			again |= set_count(state) != before;
		}
	}
}

static void
step_call(Fresh *f, InstId inst, InsId id, Set *state)
{
	const Ins *ins = ir_ins(f->ir, id);
	bool fresh = ins->dst != 0;
	u32 n;
	const Edge *e = pta_targets(f->p, inst, id, &n);

	for (u32 i = 0; i < n; i++) {
		publish_call(f, inst, ins, e[i].to, state);
		fresh &= f->sums[e[i].to].returns;
	}
	if (ins->dst)
		set_del(state, ins->dst);
	if (fresh && n)
		set_add(f->arena, state, ins->dst);
}

static void
step_return(Fresh *f, InstId inst, const Ins *ins, const Set *state)
{
	Val roots[MAX_ROOTS];
	u32 n = 0;

	if (!f->record || !f->record->returns)
		return;
	if (!ins->narg || (val_is_const(ins_arg(f->ir, ins, 0)) &&
			   ir_const(f->ir, ins_arg(f->ir, ins, 0))->kind == CONST_NULL))
		return;
	f->record->returns = fresh_roots(f, inst, ins_arg(f->ir, ins, 0), roots, &n) &&
			     all_in(state, roots, n);
	for (u32 i = 0; i < n; i++)
		if (roots[i] <= pta_fn(f->p, inst)->nparam)
			f->record->returns = false;
}

void
fresh_step(Fresh *f, InstId inst, InsId id, Set *state)
{
	const Ins *ins = ir_ins(f->ir, id);

	switch (ins->op) {
	case OP_ALLOC:
		set_add(f->arena, state, ins->dst);
		break;
	case OP_STORE:
	case OP_RMW:
		publish_value(f, inst, ins_arg(f->ir, ins, 0), ins_arg(f->ir, ins, 1), state);
		break;
	case OP_CAS:
		publish_value(f, inst, ins_arg(f->ir, ins, 0), ins_arg(f->ir, ins, 2), state);
		break;
	case OP_BCOPY:
		publish_copy(f, inst, ins, state);
		break;
	case OP_FORK:
		for (u32 k = 2; k < ins->narg; k++)
			publish_value(f, inst, 0, ins_arg(f->ir, ins, k), state);
		break;
	case OP_EXTERN:
	case OP_PUBLISH:
	case OP_THROW:
	case OP_TEXIT:
		for (u32 k = 0; k < ins->narg; k++)
			publish_value(f, inst, 0, ins_arg(f->ir, ins, k), state);
		break;
	case OP_CALL:
		step_call(f, inst, id, state);
		break;
	case OP_RET:
		step_return(f, inst, ins, state);
		break;
	default:
		break;
	}
}

/* Hands a state to a block; says whether the block must run again. */
static bool
flow_to(Fresh *f, FreshFrame *frame, BlockId b, SetId s)
{
	SetId all = frame->seen[b] ? setpool_meet(&f->sets, frame->in[b], s) : s;

	if (frame->seen[b] && all == frame->in[b])
		return false;
	frame->seen[b] = true;
	frame->in[b] = all;
	return true;
}

static bool
run_block(Fresh *f, InstId inst, FreshFrame *frame, BlockId b)
{
	const Block *block = fn_block(f->ir, pta_fn(f->p, inst), b);
	Set state = {0};
	bool again = false;
	SetId out;

	set_copy(f->arena, &state, setpool_get(&f->sets, frame->in[b]));
	for (u32 i = 0; i < block->nins; i++)
		fresh_step(f, inst, block->ins + i, &state);
	out = setpool_intern(&f->sets, &state);
	set_recycle(f->arena, &state);
	for (u32 k = 0; k < block->nsucc; k++)
		again |= flow_to(f, frame, f->ir->succs.at[block->succ + k], out);
	/* An exception may leave from anywhere in the block: what is fresh both
	 * before and after it is fresh throughout, since freshness ends once. */
	if (block->exc)
		again |= flow_to(f, frame, block->exc, setpool_meet(&f->sets, out, frame->in[b]));
	return again;
}

void
fresh_run(Fresh *f, InstId inst, FreshMask entry, FreshFrame *frame)
{
	const Fn *fn = pta_fn(f->p, inst);
	const Flow *flow = flow_of(&f->flows, pta_inst(f->p, inst)->fn);
	Set params = {0};
	bool again = true;

	frame->in = arena_array(f->arena, SetId, fn->nblock + 1);
	frame->seen = arena_array(f->arena, bool, fn->nblock + 1);
	for (u32 i = 0; i < MIN(fn->nparam, FRESH_PARAMS); i++)
		if (entry >> i & 1)
			set_add(f->arena, &params, i + 1);
	if (fn->nblock)
		flow_to(f, frame, 1, setpool_intern(&f->sets, &params));
	while (again) {
		again = false;
		for (u32 i = 0; i < flow->nrpo; i++)
			if (frame->seen[flow->rpo[i]])
				again |= run_block(f, inst, frame, flow->rpo[i]);
	}
	set_recycle(f->arena, &params);
}

FreshMask
fresh_enter(Fresh *f, const Edge *call, const Set *state)
{
	const Ins *ins = ir_ins(f->ir, call->ins);
	FreshMask mask = 0;
	u32 n = MIN(pta_fn(f->p, call->to)->nparam, FRESH_PARAMS);
	Set after = {0};

	if (call->fork || ins->op != OP_CALL)
		return 0;
	set_copy(f->arena, &after, state);
	if (ins->sub == CALL_REPEAT) /* a later round sees what the first one did */
		fresh_step(f, call->from, call->ins, &after);
	for (u32 i = 0; i < n && i + 1 < ins->narg; i++) {
		Set objs = {0};
		fresh_objects(f, call->from, ins_arg(f->ir, ins, i + 1), &objs);
		if (!set_empty(&objs) && fresh_addr(f, call->from, &after, ins_arg(f->ir, ins, i + 1)))
			mask |= 1u << i;
		set_recycle(f->arena, &objs);
	}
	set_recycle(f->arena, &after);
	return mask;
}

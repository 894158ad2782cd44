/* fresh_flow.c - how an instance's instructions end freshness.
 *
 * A store publishes the value unless the memory it goes to is itself fresh or
 * can be reached by no other thread.  A store into a parameter's object counts
 * only if that parameter was published: the summary notes it as `given`, and
 * the caller, who knows its argument, decides. */
#include "conc/access.h"
#include "conc/fresh_int.h"

/* Drops the registers whose objects meet the published ones, but for those that
 * are in no memory (unstored.c). */
static void
kill(Fresh *f, InstId inst, SetId published, Set *state)
{
	Set dead = {0};

	SET_FOR (it, state) {
		SetId own;
		if (it.x >= UNSTORED)
			break;
		if (set_has(state, UNSTORED + it.x))
			continue;
		own = fresh_objects(f, inst, it.x); /* may move the pool */
		if (set_meets(setpool_get(&f->sets, own), setpool_get(&f->sets, published)))
			set_add(f->arena, &dead, it.x);
	}
	set_minus(state, &dead);
	set_recycle(f->arena, &dead);
	maybe_kill(f, inst, published, state);
}

static void
note_always(Fresh *f, SetId published)
{
	if (f->record)
		set_add(f->arena, &f->record->always, published);
}

/* Notes what is published if one of these root parameters is. */
static void
note_given(Fresh *f, InstId inst, const Val *roots, u32 n, SetId published)
{
	u32 nparam = MIN(pta_fn(f->p, inst)->nparam, FRESH_PARAMS);

	for (u32 i = 0; i < n && f->record; i++)
		if (roots[i] <= nparam)
			set_add(f->arena, &f->record->given[roots[i] - 1], published);
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
publish_at(Fresh *f, InstId inst, Val addr, SetId closed, Set *state)
{
	Val roots[MAX_ROOTS];
	u32 n;

	if (!closed || !fresh_objects(f, inst, addr))
		return; /* nothing, or where no other thread sees it */
	if (fresh_roots(f, inst, addr, roots, &n) && all_in(state, roots, n)) {
		note_given(f, inst, roots, n, closed);
		return;
	}
	note_always(f, closed);
	kill(f, inst, closed, state);
}

/* v reaches the memory at addr or, if that is 0, memory that others see. */
static void
publish_value(Fresh *f, InstId inst, Val addr, Val v, Set *state)
{
	SetId closed = fresh_close(f, fresh_objects(f, inst, v));

	if (!closed)
		return;
	if (addr) {
		publish_at(f, inst, addr, closed, state);
	} else {
		note_always(f, closed);
		kill(f, inst, closed, state);
	}
}

enum { FEW_SOURCES = 8 }; /* of a copy, for which offsets matter */

static void
add_shared(Fresh *f, const Set *slots, Set *out)
{
	SET_FOR (s, slots)
		if (threads_shared(f->t, pta_slot(f->p, s.x)->obj))
			set_add(f->arena, out, pta_slot(f->p, s.x)->obj);
}

/* The shared objects that anything in o, which is not shared, may point to. */
static SetId
held_by_own(Fresh *f, ObjId o)
{
	Set slots = {0}, objs = {0};

	if (!f->own_holds[o]) {
		pta_held(f->p, o, f->arena, &slots);
		add_shared(f, &slots, &objs);
		f->own_holds[o] = setpool_intern(&f->sets, &objs) + 1;
		set_recycle(f->arena, &slots);
		set_recycle(f->arena, &objs);
	}
	return f->own_holds[o] - 1;
}

/* The bytes that a block copy copies; 0 if that is not known. */
static u64
copied_bytes(const Ir *ir, const Ins *ins)
{
	Val n = ins_arg(ir, ins, 2);
	const Const *c = val_is_const(n) ? ir_const(ir, n) : NULL;

	return c && c->kind == CONST_INT && c->num > 0 ? (u64)c->num : 0;
}

SetId
fresh_copied(Fresh *f, InstId inst, const Ins *ins)
{
	u32 *at = map_at(f->arena, &f->copied_of, map_pair(inst, (u32)(ins - f->ir->ins.at)));
	const Set *from = pta_pts(f->p, inst, ins_arg(f->ir, ins, 1));
	u64 bytes = copied_bytes(f->ir, ins);
	bool few = bytes && from->n <= FEW_SOURCES && set_count(from) <= FEW_SOURCES;
	Set held = {0}, sets = {0};

	if (*at)
		return *at - 1;
	SET_FOR (it, from) {
		Set slots = {0};
		ObjId o = pta_slot(f->p, it.x)->obj;
		bool shared = threads_shared(f->t, o);
		SetId all = shared ? f->holds[o] : few ? 0 : held_by_own(f, o);
		if (all && set_add(f->arena, &sets, all))
			set_or(f->arena, &held, setpool_get(&f->sets, all));
		if (shared || !few)
			continue;
		pta_range_contents(f->p, it.x, bytes, f->arena, &slots);
		add_shared(f, &slots, &held);
		set_recycle(f->arena, &slots);
	}
	*at = setpool_intern(&f->sets, &held) + 1;
	set_recycle(f->arena, &held);
	set_recycle(f->arena, &sets);
	return *at - 1;
}

static void
publish_copy(Fresh *f, InstId inst, const Ins *ins, Set *state)
{
	publish_at(f, inst, ins_arg(f->ir, ins, 0), fresh_close(f, fresh_copied(f, inst, ins)),
		   state);
}

/* What a call publishes, given which arguments are fresh; targets that publish
 * the same count once. */
typedef struct PubCall {
	Set always; /* SetIds */
	Set given[FRESH_PARAMS];
	u32 n; /* of given */
} PubCall;

static void
collect(Fresh *f, const Ins *ins, const Edge *e, u32 n, PubCall *out)
{
	for (u32 i = 0; i < n; i++) {
		const PubSum *s = &f->sums[e[i].to];
		u32 nparam = MIN(pta_fn(f->p, e[i].to)->nparam, FRESH_PARAMS);
		if (s->always)
			set_add(f->arena, &out->always, s->always);
		for (u32 k = 0; s->given && k < nparam && k + 1 < ins->narg; k++)
			if (s->given[k]) {
				set_add(f->arena, &out->given[k], s->given[k]);
				out->n = MAX(out->n, k + 1);
			}
	}
}

/* Arguments that lose their freshness by it are looked at again. */
static void
publish_call(Fresh *f, InstId inst, const Ins *ins, PubCall *c, Set *state)
{
	bool again = true;

	SET_FOR (it, &c->always) {
		note_always(f, it.x);
		kill(f, inst, it.x, state);
	}
	while (again) {
		u32 before = set_count(state);
		for (u32 i = 0; i < c->n; i++)
			SET_FOR (it, &c->given[i])
				publish_at(f, inst, ins_arg(f->ir, ins, i + 1), it.x, state);
		again = set_count(state) != before;
	}
}

/* Register r holds an object that was just made. */
static void
begin(Fresh *f, InstId inst, Val r, bool unstored, Set *state)
{
	if (!fresh_objects(f, inst, r))
		return; /* what is never shared needs no proof of freshness */
	set_add(f->arena, state, r);
	if (unstored && f->t->captures)
		set_add(f->arena, state, UNSTORED + r);
}

static void
step_call(Fresh *f, InstId inst, InsId id, Set *state)
{
	const Ins *ins = ir_ins(f->ir, id);
	bool fresh = ins->dst != 0, unstored = true;
	u32 n;
	const Edge *e = pta_targets(f->p, inst, id, &n);
	PubCall all = {.n = 0};

	for (u32 i = 0; i < n; i++) {
		fresh &= f->sums[e[i].to].returns;
		unstored &= f->sums[e[i].to].unstored;
	}
	if (!set_empty(state) || f->record) {
		collect(f, ins, e, n, &all);
		publish_call(f, inst, ins, &all, state);
		set_recycle(f->arena, &all.always);
		for (u32 i = 0; i < all.n; i++)
			set_recycle(f->arena, &all.given[i]);
	}
	if (ins->dst) {
		set_del(state, ins->dst);
		set_del(state, UNSTORED + ins->dst);
	}
	if (fresh && n)
		begin(f, inst, ins->dst, unstored, state);
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
	f->record->returns =
	    fresh_roots(f, inst, ins_arg(f->ir, ins, 0), roots, &n) && all_in(state, roots, n);
	for (u32 i = 0; i < n; i++)
		if (roots[i] <= pta_fn(f->p, inst)->nparam)
			f->record->returns = false;
	f->record->unstored &= f->record->returns && unstored_all(state, roots, n);
}

/* Does the fork start what runs when nobody has the object any more?  That hands it to nobody. */
static bool
starts_destructor(const Fresh *f, InstId inst, InsId fork)
{
	u32 n;
	const Edge *e = pta_targets(f->p, inst, fork, &n);

	for (u32 k = 0; k < n; k++)
		if (!(pta_fn(f->p, e[k].to)->flags & FN_DESTRUCTOR))
			return false;
	return n > 0;
}

/* Moves state past an instruction, which succeeds if it can fail. */
static void
step_done(Fresh *f, InstId inst, InsId id, Set *state)
{
	const Ins *ins = ir_ins(f->ir, id);

	/* Where nothing is fresh, nothing is lost; summaries want to know all. */
	if (set_empty(state) && !f->record && ins->op != OP_ALLOC && ins->op != OP_CALL)
		return;
	unstored_end(f, inst, id, state);
	switch (ins->op) {
	case OP_ALLOC: begin(f, inst, ins->dst, true, state); break;
	case OP_STORE:
	case OP_RMW:
		publish_value(f, inst, ins_arg(f->ir, ins, 0), ins_arg(f->ir, ins, 1), state);
		break;
	case OP_CAS:
		publish_value(f, inst, ins_arg(f->ir, ins, 0), ins_arg(f->ir, ins, 2), state);
		break;
	case OP_BCOPY: publish_copy(f, inst, ins, state); break;
	case OP_FORK:
		for (u32 k = 2; !starts_destructor(f, inst, id) && k < ins->narg; k++)
			publish_value(f, inst, 0, ins_arg(f->ir, ins, k), state);
		break;
	case OP_EXTERN:
	case OP_PUBLISH:
	case OP_THROW:
	case OP_TEXIT:
		for (u32 k = 0; k < ins->narg; k++)
			publish_value(f, inst, 0, ins_arg(f->ir, ins, k), state);
		break;
	case OP_CALL: step_call(f, inst, id, state); break;
	case OP_RET: step_return(f, inst, ins, state); break;
	default: break;
	}
}

/* Moves state past an instruction. */
static void
step(Fresh *f, InstId inst, InsId id, Set *state)
{
	Set before = {0};

	if (set_empty(state) || !maybe_fails(ir_ins(f->ir, id))) {
		step_done(f, inst, id, state);
		return;
	}
	set_copy(f->arena, &before, state);
	step_done(f, inst, id, state);
	maybe_note(f, inst, id, &before, state);
	set_recycle(f->arena, &before);
}

/* Hands a state to a block, which runs again if it is new. */
static void
flow_to(Fresh *f, FreshFrame *frame, bool *dirty, BlockId b, SetId s)
{
	SetId all = frame->seen[b] ? setpool_meet(&f->sets, frame->in[b], s) : s;

	if (frame->seen[b] && all == frame->in[b])
		return;
	frame->seen[b] = dirty[b] = true;
	frame->in[b] = all;
}

static void
run_block(Fresh *f, InstId inst, FreshFrame *frame, bool *dirty, BlockId b)
{
	const Block *block = fn_block(f->ir, pta_fn(f->p, inst), b);
	Set state = {0};
	SetId out;

	set_copy(f->arena, &state, setpool_get(&f->sets, frame->in[b]));
	for (u32 i = 0; i < block->nins; i++)
		step(f, inst, block->ins + i, &state);
	out = setpool_intern(&f->sets, &state);
	for (u32 k = 0; k < block->nsucc; k++)
		flow_to(f, frame, dirty, f->ir->succs.at[block->succ + k],
			maybe_edge(f, inst, block, k, &state, out));
	set_recycle(f->arena, &state);
	/* An exception may leave from anywhere in the block: what is fresh both
	 * before and after it is fresh throughout, since freshness ends once. */
	if (block->exc)
		flow_to(f, frame, dirty, block->exc, setpool_meet(&f->sets, out, frame->in[b]));
}

void
fresh_run(Fresh *f, InstId inst, FreshMask entry, FreshFrame *frame)
{
	const Fn *fn = pta_fn(f->p, inst);
	const Flow *flow = flow_of(f->t->flows, pta_inst(f->p, inst)->fn);
	bool *dirty = arena_array(f->arena, bool, fn->nblock + 1);
	Set params = {0};
	bool again = true;

	frame->in = arena_array(f->arena, SetId, fn->nblock + 1);
	frame->seen = arena_array(f->arena, bool, fn->nblock + 1);
	for (u32 i = 0; i < MIN(fn->nparam, FRESH_PARAMS); i++)
		if (entry >> i & 1)
			begin(f, inst, i + 1, entry >> (FRESH_UNSTORED + i) & 1, &params);
	if (fn->nblock)
		flow_to(f, frame, dirty, 1, setpool_intern(&f->sets, &params));
	while (again) {
		again = false;
		for (u32 i = 0; i < flow->nrpo; i++) {
			BlockId b = flow->rpo[i];
			if (!dirty[b])
				continue;
			dirty[b] = false;
			again = true;
			run_block(f, inst, frame, dirty, b);
		}
	}
	arena_recycle(f->arena, dirty, (fn->nblock + 1) * sizeof *dirty);
	set_recycle(f->arena, &params);
}

/* May running inst publish objects that its parameter points to?  If not, it does not matter
 * whether these are in memory. */
static bool
publishes(Fresh *f, InstId inst, Val param)
{
	const PubSum *s = &f->sums[inst];
	u32 n = MIN(pta_fn(f->p, inst)->nparam, FRESH_PARAMS);
	const Set *own = setpool_get(&f->sets, fresh_objects(f, inst, param));

	if (set_meets(own, setpool_get(&f->sets, s->always)))
		return true;
	for (u32 i = 0; s->given && i < n; i++)
		if (s->given[i] && set_meets(own, setpool_get(&f->sets, s->given[i])))
			return true;
	return false;
}

/* How a call hands parameter i over: the bits of the mask for it.  What no other thread can ever
 * reach is as good as fresh. */
static FreshMask
pass(Fresh *f, const Edge *call, u32 i, const Set *state)
{
	const Ins *ins = ir_ins(f->ir, call->ins);
	Val arg = ins_arg(f->ir, ins, i + 1);
	bool shared = fresh_objects(f, call->from, arg);
	FreshMask fresh = 1u << i, unstored = 1u << (FRESH_UNSTORED + i);

	if (!fresh_objects(f, call->to, i + 1) ||
	    (shared && !fresh_addr(f, call->from, state, arg)))
		return 0;
	if (!publishes(f, call->to, i + 1) ||
	    (shared && !unstored_passed(f, call->from, ins, i + 1, state)))
		return fresh;
	return fresh | unstored;
}

/* The mask with which a call enters its callee, from the state before it. */
static FreshMask
enter(Fresh *f, const Edge *call, const Set *state)
{
	const Ins *ins = ir_ins(f->ir, call->ins);
	FreshMask mask = 0;
	u32 n = MIN(pta_fn(f->p, call->to)->nparam, FRESH_PARAMS);
	Set after = {0};

	if (call->fork || ins->op != OP_CALL)
		return 0;
	set_copy(f->arena, &after, state);
	if (ins->sub == CALL_REPEAT) /* a later round sees what the first one did */
		step(f, call->from, call->ins, &after);
	for (u32 i = 0; i < n && i + 1 < ins->narg; i++)
		mask |= pass(f, call, i, &after);
	set_recycle(f->arena, &after);
	return mask;
}

static void
answer_at(Fresh *f, InstId inst, InsId id, const Set *state, FreshFrame *frame)
{
	Touch touch[2];
	u32 n = access_touches(f->ir, id, touch), edges;
	const Edge *e;

	for (u32 i = 0; i < n; i++)
		if (fresh_addr(f, inst, state, touch[i].addr))
			set_add(f->arena, &frame->touches, id * 2 + i);
	if (ir_ins(f->ir, id)->op != OP_CALL)
		return;
	e = pta_targets(f->p, inst, id, &edges);
	for (u32 i = 0; i < edges; i++) {
		FreshMask mask = enter(f, &e[i], state);
		if (mask)
			map_put(f->arena, &frame->enters, (u64)(&e[i] - f->p->edges.at) + 1, mask);
	}
}

void
fresh_answer(Fresh *f, InstId inst, FreshFrame *frame)
{
	const Fn *fn = pta_fn(f->p, inst);
	Set state = {0};

	frame->keeps = fn->nparam > 0;
	for (BlockId b = 1; b <= fn->nblock; b++) {
		const Block *block = fn_block(f->ir, fn, b);
		if (!frame->seen[b])
			continue;
		set_copy(f->arena, &state, setpool_get(&f->sets, frame->in[b]));
		for (u32 i = 0; i < block->nins; i++) {
			if (!set_empty(&state) || ir_ins(f->ir, block->ins + i)->op == OP_CALL)
				answer_at(f, inst, block->ins + i, &state, frame);
			step(f, inst, block->ins + i, &state);
		}
		frame->keeps &= set_has(&state, 1);
	}
	set_recycle(f->arena, &state);
}

/* fresh_maybe.c - publications that may have failed.
 *
 * A fork that failed has started nobody, and an exchange that failed has stored
 * nothing: what was to be published by it is as fresh as before.
 *
 *	if (pthread_create(&t, 0, serve, c) != 0)
 *		free(c);
 *
 * Beside the fresh registers a state keeps those that the last such instruction
 * took away (MAYBE + register), and which one that was (MAYBE_BY + instruction,
 * counted from the function's first).  On an edge that says that it failed, they are
 * fresh again.  Whatever else publishes their objects takes them away for good.
 * The elements are intersected at merges like all others; registers without
 * their instruction mean nothing.  An instruction that runs again has a result
 * of its own, and begins with nothing.
 *
 * An edge speaks of a fork by its result, of an exchange by the comparison of
 * what it found with what it expected, and, of one that may fail by itself, by
 * that and a choice, which the front end makes at the exchange. */
#include "conc/fresh_int.h"

#include "conc/sign.h"

enum { MAYBE = UNSTORED * 2, MAYBE_BY = UNSTORED * 3 };

static bool
any(const Set *state)
{
	return state->n && state->w[state->n - 1].index >= MAYBE_BY / 64;
}

bool
maybe_fails(const Ins *ins)
{
	return ins->op == OP_CAS ||
	       (ins->op == OP_FORK && ins->dst && ins->cond && ins->cond != SIGN_ANY);
}

static void
forget(Fresh *f, Set *state)
{
	Set dead = {0};

	SET_FOR (it, state)
		if (it.x >= MAYBE)
			set_add(f->arena, &dead, it.x);
	set_minus(state, &dead);
	set_recycle(f->arena, &dead);
}

void
maybe_kill(Fresh *f, InstId inst, SetId published, Set *state)
{
	Set dead = {0};

	if (!any(state))
		return;
	SET_FOR (it, state) {
		SetId own;
		if (it.x < MAYBE || it.x >= MAYBE_BY)
			continue;
		own = fresh_objects(f, inst, it.x - MAYBE); /* may move the pool */
		if (set_meets(setpool_get(&f->sets, own), setpool_get(&f->sets, published)))
			set_add(f->arena, &dead, it.x);
	}
	set_minus(state, &dead);
	set_recycle(f->arena, &dead);
}

void
maybe_note(Fresh *f, InstId inst, InsId id, const Set *before, Set *state)
{
	bool some = false;

	if (any(state))
		forget(f, state);
	SET_FOR (it, before) {
		if (it.x >= UNSTORED)
			break;
		if (!set_has(state, it.x))
			some |= set_add(f->arena, state, MAYBE + it.x);
	}
	if (some)
		set_add(f->arena, state, MAYBE_BY + (id - pta_fn(f->p, inst)->ins));
}

/* What defines v, if anything. */
static const Ins *
def_of(const Fresh *f, const Fn *fn, Val v, InsId *id)
{
	*id = val_is_reg(v) ? fn_reg(f->ir, fn, v)->def : 0;
	return *id ? ir_ins(f->ir, *id) : NULL;
}

/* Is v 0 only if the exchange found something else than it expected? */
static bool
is_success(const Fresh *f, const Fn *fn, Val v, const Ins *cas, bool truth)
{
	InsId id;
	const Ins *i = def_of(f, fn, v, &id), *choice;

	if (i && i->op == OP_BIN && i->sub == BIN_AND && truth) {
		choice = def_of(f, fn, ins_arg(f->ir, i, 1), &id);
		return choice && choice->op == OP_NONDET && choice->src == cas->src &&
		       is_success(f, fn, ins_arg(f->ir, i, 0), cas, truth);
	}
	return i && i->op == OP_CMP && i->sub == (truth ? CMP_EQ : CMP_NE) &&
	       ins_arg(f->ir, i, 0) == cas->dst && ins_arg(f->ir, i, 1) == ins_arg(f->ir, cas, 1);
}

/* Does the fact say that the instruction failed? */
static bool
says_failed(const Fresh *f, const Fn *fn, const SignFact *fact, const Ins *by)
{
	if (by->op == OP_FORK)
		return fact->reg == by->dst && !(fact->mask & by->cond);
	if (fact->mask == SIGN_ZERO)
		return is_success(f, fn, fact->reg, by, true);
	return !(fact->mask & SIGN_ZERO) && is_success(f, fn, fact->reg, by, false);
}

/* The instruction whose failure brings something back; 0 none. */
static InsId
pending(const Fn *fn, const Set *state)
{
	InsId by = 0;

	SET_FOR (it, state)
		if (it.x >= MAYBE_BY)
			by = fn->ins + (it.x - MAYBE_BY);
	return by;
}

SetId
maybe_edge(Fresh *f, InstId inst, const Block *b, u32 succ, const Set *state, SetId out)
{
	const Fn *fn = pta_fn(f->p, inst);
	SignFact facts[SIGN_FACTS];
	u32 n = any(state) ? sign_edge(f->ir, fn, b, succ, facts) : 0;
	InsId by = n ? pending(fn, state) : 0;
	bool failed = false;
	Set all = {0};

	for (u32 i = 0; by && i < n; i++)
		failed |= says_failed(f, fn, &facts[i], ir_ins(f->ir, by));
	if (!failed)
		return out;
	set_copy(f->arena, &all, state);
	SET_FOR (it, state)
		if (it.x >= MAYBE && it.x < MAYBE_BY)
			set_add(f->arena, &all, it.x - MAYBE);
	out = setpool_intern(&f->sets, &all);
	set_recycle(f->arena, &all);
	return out;
}

/* exhaust.c - small programs are run under every schedule.
 *
 * What no rule understands, a protocol of the program's own (Peterson's lock,
 * counters of readers, a queue of waiters), all schedules of a few threads
 * decide, where they are few: the interleaver of the tests looks at them with
 * unknown inputs (src/ir/interleave.h).  If it comes to an end, a pair that
 * it did not find races in no run; and a pair that it found in a run which no
 * input decides is certain.  A pair of which a side is never reached is left as
 * it is, and so is one that no reason speaks against, if its sides do not come to
 * one place in one run, one behind the other: programs are often given with small
 * numbers that stand for large ones.  It is bounded in states, and asked only for
 * small C programs with pairs that are left.
 *
 * An access that is in none of these is known to race with nothing, so threads
 * take turns only at synchronisation, at atomics, and where the pairs are. */
#include "race/race_int.h"

#include "ir/interleave.h"

enum {
	MAX_INS = 3000,
	MAX_PAIRS = 400,
	MAX_STATES = 300000,
	MAX_BYTES = 1 << 30,
	MAX_DEPTH = 600,
	MAX_LOCAL = 4000
};

/* Reasons that a run with the race does not refute. */
#define MEANT                                                                                      \
	(1u << REASON_VOLATILE | 1u << REASON_INTERRUPT | 1u << REASON_UNKNOWN |                   \
	 1u << REASON_NOT_PARALLEL | 1u << REASON_NOT_SHARED | 1u << REASON_CONFINED |             \
	 1u << REASON_CALLERS | 1u << REASON_ENDING | 1u << REASON_UNLIKELY_CALL |                 \
	 1u << REASON_PROCESS | 1u << REASON_SAFE | 1u << REASON_LIBRARY | 1u << REASON_PUBLICATION)

/* Does the interleaver know all that the instruction touches? */
static bool
is_known(const Ins *i)
{
	switch ((Op)i->op) {
	case OP_LOAD:
	case OP_STORE:
	case OP_RMW:
	case OP_CAS:
	case OP_BCOPY:
	case OP_READN:
	case OP_WRITEN:
	case OP_FREE: return true;
	default: return false;
	}
}

static bool
is_small(const Races *r)
{
	for (u32 k = 0; k < STAGE_COUNT; k++)
		if (r->opt->without[k])
			return false;
	return !r->opt->no_schedules && r->ir->ins.n <= MAX_INS && r->ir->classes.n <= 1 &&
	       r->result->pairs.n && r->result->pairs.n <= MAX_PAIRS && !r->result->abridged &&
	       r->pta->root;
}

/* The pairs that all schedules may say something new of: the sure ones may be excluded, the
 * doubtful ones may also be certain. */
static u32
ask(const Races *r, InterleavePair *asked, InterleaveLimits *limits)
{
	u32 n = 0;

	for (u32 i = 0; i < r->result->pairs.n; i++) {
		const Pair *p = &r->result->pairs.at[i];
		limits->meet |= p->rung == RUNG_LIKELY;
		if (p->rung < RUNG_DEFINITE)
			asked[n++] = (InterleavePair){.a = access_at(r, p->a)->ins,
						      .b = access_at(r, p->b)->ins,
						      .certain = !(p->reasons & MEANT)};
	}
	return n;
}

/* What all or, if the search has not ended, some schedules say of p; false: it is excluded. */
static bool
judge(const Races *r, const InterleaveResult *found, bool all, Pair *p)
{
	InsId a = access_at(r, p->a)->ins, b = access_at(r, p->b)->ins;
	const InterleavePair *at = interleave_find(found, a, b);

	if (at && at->certain && !(p->reasons & MEANT)) {
		p->rung = RUNG_DEFINITE;
		p->reasons = 0;
	}
	return !all || at || !is_known(ir_ins(r->ir, a)) || !is_known(ir_ins(r->ir, b)) ||
	       !set_has(&found->done, a) || !set_has(&found->done, b) ||
	       (p->rung == RUNG_LIKELY && !interleave_meet(found, a, b));
}

/* The accesses that are in no pair.  Two that are atomic or volatile may make no pair, and race. */
static const bool *
list_quiet(const Races *r)
{
	bool *quiet = arena_array(r->arena, bool, r->ir->ins.n);

	for (InsId i = 1; i < r->ir->ins.n; i++) {
		const Ins *ins = ir_ins(r->ir, i);
		quiet[i] =
		    is_known(ins) && ins->order == ORDER_PLAIN && !(ins->flags & INS_VOLATILE);
	}
	for (u32 i = 0; i < r->result->pairs.n; i++) {
		const Pair *p = &r->result->pairs.at[i];
		quiet[access_at(r, p->a)->ins] = quiet[access_at(r, p->b)->ins] = false;
	}
	return quiet;
}

/* What is run: the only function that the harness calls, whose arguments are unknown then, or
 * the harness. */
static FnId
start_of(const Races *r)
{
	FnId root = pta_inst(r->pta, r->pta->root)->fn, only = 0;
	const Fn *f = &r->ir->fns.at[root];

	for (InsId i = f->ins; i < f->ins + f->nins; i++) {
		const Ins *ins = ir_ins(r->ir, i);
		Val to = ins->op == OP_CALL ? ins_arg(r->ir, ins, 0) : 0;
		const Const *c = val_is_const(to) ? ir_const(r->ir, to) : NULL;
		if (to && (only || !c || c->kind != CONST_FN || ins->sub != CALL_PLAIN))
			return root;
		only = to ? c->ref : only;
		if (ins->op == OP_FORK || ins->op == OP_EXTERN)
			return root;
	}
	return only && r->ir->fns.at[only].nblock ? only : root;
}

void
exhaust_pairs(Races *r)
{
	InterleaveLimits limits = {.max_states = MAX_STATES,
				   .max_bytes = MAX_BYTES,
				   .max_depth = MAX_DEPTH,
				   .max_local = MAX_LOCAL,
				   .max_threads = 8,
				   .unknown = true};
	InterleaveResult found = {.arena = r->arena};
	InterleavePair asked[MAX_PAIRS];
	u32 n = 0;
	bool all;

	if (!is_small(r))
		return;
	limits.asked = asked;
	limits.nasked = ask(r, asked, &limits);
	if (!limits.nasked)
		return;
	limits.quiet = list_quiet(r);
	all = interleave_run(r->ir, start_of(r), &limits, &found);
	for (u32 i = 0; i < r->result->pairs.n; i++) {
		Pair p = r->result->pairs.at[i];
		if (judge(r, &found, all, &p))
			r->result->pairs.at[n++] = p;
	}
	r->result->pairs.n = n;
}

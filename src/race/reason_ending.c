/* reason_ending.c - the process reports a fatal error and ends.
 *
 * Programs have a function of their own for what must not happen: it writes down all
 * that could help and ends the process.  What it reads may change meanwhile, and
 * nobody minds.  Such a function is declared not to return, so its calls are
 * followed by nothing, and there are several: a loop that serves until the process
 * ends, which may be declared so as well, is called in one place.
 *
 * The instances that a thread reaches by other calls are found by one search from its
 * start, at the first question; what else it runs, it runs while the process ends.
 * This is no proof: it only lowers a rung. */
#include "race/reason_int.h"

enum {
	FATAL_CALLS = 4,  /* so many at least */
	MAX_THREADS = 256 /* with more, nobody asks */
};

/* What is known of the calls of functions. */
typedef struct Ending {
	bool *fatal;   /* [edge index]: the call reports an error and ends the process */
	bool any;      /* there are such */
	bool **living; /* [ThreadId][InstId]: reached without such a call; null: not asked */
} Ending;

/* Is the function declared not to return, or not known? */
static bool
may_end(const Ir *ir, const Ins *call)
{
	Val to = ins_arg(ir, call, 0);

	return !val_is_const(to) || ir_const(ir, to)->kind != CONST_FN ||
	       ir->fns.at[ir_const(ir, to)->ref].flags & FN_NORETURN;
}

/* The calls of f behind which nothing comes. */
static void
mark_last(const Ir *ir, const Fn *f, Set *last, Arena *a)
{
	for (u32 k = 0; k < f->nblock; k++) {
		const Block *b = fn_block(ir, f, k + 1);
		u32 end = b->ins + b->nins - 1;
		if (b->nins > 1 && ir_ins(ir, end)->op == OP_UNREACHABLE &&
		    ir_ins(ir, end - 1)->op == OP_CALL && may_end(ir, ir_ins(ir, end - 1)))
			set_add(a, last, end - 1);
	}
}

static void
find_fatal(const Races *r, Ending *e)
{
	const Pta *p = r->pta;
	u32 *calls = arena_array(r->arena, u32, r->ir->fns.n + 1);
	Set last = {0}, counted = {0};

	for (FnId f = 1; f < r->ir->fns.n; f++)
		mark_last(r->ir, &r->ir->fns.at[f], &last, r->arena);
	for (u32 k = 0; k < p->edges.n; k++) {
		const Edge *x = &p->edges.at[k];
		e->fatal[k] = !x->fork && set_has(&last, x->ins);
		if (e->fatal[k] && set_add(r->arena, &counted, x->ins))
			calls[p->insts.at[x->to].fn]++;
	}
	for (u32 k = 0; k < p->edges.n; k++) {
		e->fatal[k] &= calls[p->insts.at[p->edges.at[k].to].fn] >= FATAL_CALLS;
		e->any |= e->fatal[k];
	}
	set_recycle(r->arena, &last);
	set_recycle(r->arena, &counted);
}

static Ending *
ending_of(Reasons *rs)
{
	const Races *r = rs->r;

	if (rs->ending)
		return rs->ending;
	rs->ending = arena_new(r->arena, Ending);
	rs->ending->fatal = arena_array(r->arena, bool, r->pta->edges.n + 1);
	rs->ending->living = arena_array(r->arena, bool *, r->conc->threads->at.n + 1);
	find_fatal(r, rs->ending);
	return rs->ending;
}

static const bool *
living_of(const Races *r, Ending *e, ThreadId t)
{
	const Pta *p = r->pta;
	InstId start = thread_get(r->conc->threads, t)->start;
	VecU32 work = {0};
	bool *seen;

	if (e->living[t])
		return e->living[t];
	seen = e->living[t] = arena_array(r->arena, bool, p->insts.n + 1);
	seen[start] = true;
	vec_push(r->arena, &work, start);
	while (work.n) {
		const Inst *i = &p->insts.at[work.at[--work.n]];
		for (u32 k = i->edge; k < i->edge + i->nedge; k++) {
			const Edge *x = &p->edges.at[k];
			if (x->fork || seen[x->to] || e->fatal[k])
				continue;
			seen[x->to] = true;
			vec_push(r->arena, &work, x->to);
		}
	}
	return seen;
}

bool
reason_ending(Reasons *rs, u32 access)
{
	const Races *r = rs->r;
	const Access *a = access_at(r, access);
	Ending *e = ending_of(rs);

	return e->any && r->conc->threads->at.n <= MAX_THREADS &&
	       !living_of(r, e, a->thread)[a->inst];
}

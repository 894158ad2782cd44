/* crew.c - see crew.h.
 *
 * A crew runs the union of what its threads run, and never takes an edge that each of them
 * either never takes or never comes to.  Where a fork starts unknown code, as a handler of signals
 * that came from elsewhere, all that this may call back is one crew: it is one thread there, too. */
#include "conc/crew.h"

enum { PART = 8 }; /* no more than one in so many may be run by one of two only */

/* A caller of an open program? */
static bool
is_caller(const Pta *p, const Thread *x)
{
	return x->fork_inst == p->root && pta_fn(p, p->root)->flags & FN_SYNTHETIC;
}

/* Finalizers, handlers of signals and callers are told from other threads. */
static bool
same_kind(const Threads *t, const Thread *x, const Thread *y)
{
	const Pta *p = t->pta;
	u8 either = ir_ins(p->ir, x->fork)->flags | ir_ins(p->ir, y->fork)->flags;

	return !((pta_fn(p, x->start)->flags ^ pta_fn(p, y->start)->flags) & FN_DESTRUCTOR) &&
	       !is_caller(p, x) && !is_caller(p, y) && !(either & INS_INTERRUPTS) && !x->doubtful &&
	       !y->doubtful;
}

static u32
count_common(const Set *x, const Set *y)
{
	u32 n = 0;

	for (u32 i = 0, k = 0; i < x->n && k < y->n;) {
		if (x->w[i].index == y->w[k].index)
			n += (u32)__builtin_popcountll(x->w[i++].bits & y->w[k++].bits);
		else if (x->w[i].index < y->w[k].index)
			i++;
		else
			k++;
	}
	return n;
}

/* Does one fork start unknown code, which may call either?  Or are both hardly meant to be
 * started at all? */
static bool
both_assumed(const Thread *x, const Thread *y)
{
	if (x->doubtful || y->doubtful)
		return x->doubtful && y->doubtful;
	return x->assumed && y->assumed && x->fork == y->fork && x->parent == y->parent;
}

ThreadId
crew_find(const Threads *t, ThreadId id)
{
	u32 n = set_count(&t->insts[id]);

	for (ThreadId c = 2; c < id; c++) {
		const Thread *th = thread_get(t, c);
		u32 most, common;
		if (th->crew == c && both_assumed(th, thread_get(t, id)))
			return c;
		if (th->crew != c || !same_kind(t, th, thread_get(t, id)))
			continue;
		most = MAX(n, set_count(&t->insts[c]));
		common = count_common(&t->insts[id], &t->insts[c]);
		if (common >= most - most / PART)
			return c;
	}
	return 0;
}

/* Of the edges in from, which one never takes: takes out those that the other may take. */
static void
keep_skipped(const Threads *t, Arena *a, const Set *from, const Set *insts, const Set *skipped,
	     Set *out)
{
	SET_FOR (it, from)
		if (set_has(skipped, it.x) || !set_has(insts, t->pta->edges.at[it.x].from))
			set_add(a, out, it.x);
}

bool
crew_join(Threads *t, Arena *a, ThreadId crew, ThreadId id)
{
	Set skipped = {0};
	bool more;

	keep_skipped(t, a, &t->skipped[crew], &t->insts[id], &t->skipped[id], &skipped);
	keep_skipped(t, a, &t->skipped[id], &t->insts[crew], &t->skipped[crew], &skipped);
	set_recycle(a, &t->skipped[crew]);
	set_recycle(a, &t->skipped[id]);
	t->skipped[crew] = skipped;
	set_recycle(a, &t->dead[crew]); /* of few: not looked for */
	set_recycle(a, &t->dead[id]);
	more = set_or(a, &t->insts[crew], &t->insts[id]);
	set_recycle(a, &t->insts[id]);
	t->at.at[id].crew = crew;
	t->joined++;
	return more;
}

void
crew_share(Threads *t)
{
	for (ThreadId id = 2; id < t->at.n && t->joined; id++) {
		ThreadId crew = t->at.at[id].crew;
		t->insts[id] = t->insts[crew];
		t->skipped[id] = t->skipped[crew];
		t->dead[id] = t->dead[crew];
		t->many[id] = t->many[crew];
	}
}

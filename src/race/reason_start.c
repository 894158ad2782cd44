/* reason_start.c - threads that run there only if a doubtful call has started them.
 *
 * What an external function may call back is guessed (conc/guess.h), and so are calls
 * through pointers that are mixed up.  One such call, of a function that starts a thread,
 * puts the thread beside all that its creator does from there on, from its first
 * message to the log on.  So ask when the creator has started it by other calls: an instance is
 * entered early, before that, late, behind it, or both.  The creator's start routine is
 * entered early; a call enters its callees late if its function was entered so, or has
 * started the thread on a way to the call, by a call that comes back (not one that ends the process), and early if it was entered early.  Each
 * instance is looked at again only when it is first entered in another way, so this
 * ends.  What is never late, and comes by no start in its own function, runs before the
 * thread.  As all that leans on guesses this only lowers a rung. */
#include "conc/guess.h"
#include "race/reason_int.h"

enum { EARLY = 1, LATE = 2 };

/* A thread and who creates it. */
typedef struct Link {
	Reasons *rs;
	ThreadId by;
	const Thread *x;
	bool *above; /* [InstId]: of those of by, what comes to the fork */
	bool *back;  /* [InstId]: of these, what may return behind it */
	u8 *entered; /* [InstId] */
} Link;

static bool
is_meant(const Link *l, u32 edge)
{
	const Conc *c = l->rs->r->conc;

	return !c->pta->edges.at[edge].fork && !(c->ending && c->ending[edge]) &&
	       !guess_doubts(c->guess, c->threads, l->by, edge);
}

/* Marks what comes to the fork by calls that are meant. */
static void
find_above(const Link *l)
{
	const Races *r = l->rs->r;
	VecU32 todo = {0};

	l->above[l->x->fork_inst] = true;
	vec_push(r->arena, &todo, l->x->fork_inst);
	while (todo.n) {
		const Inst *in = pta_inst(r->pta, todo.at[--todo.n]);
		for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
			u32 e = r->pta->callers.at[k];
			InstId from = r->pta->edges.at[e].from;
			if (l->above[from] || !is_meant(l, e))
				continue;
			l->above[from] = true;
			vec_push(r->arena, &todo, from);
		}
	}
	arena_recycle(r->arena, todo.at, todo.cap * sizeof *todo.at);
}

/* Does the instruction lead to an end of the instance's function by which its callers go on? */
static bool
returns_from(const Link *l, InstId inst, InsId at)
{
	const Races *r = l->rs->r;
	const Fn *f = pta_fn(r->pta, inst);

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		InsId end = bl->ins + bl->nins - 1;
		u8 op = ir_ins(r->ir, end)->op;
		if ((op == OP_RET || op == OP_THROW) &&
		    walk_reaches(r->walk, inst_fn(r, inst), at, end))
			return true;
	}
	return false;
}

/* Marks what may return when it has started the thread. */
static void
find_back(const Link *l)
{
	const Races *r = l->rs->r;
	VecU32 todo = {0};

	l->back[l->x->fork_inst] = returns_from(l, l->x->fork_inst, l->x->fork);
	if (l->back[l->x->fork_inst])
		vec_push(r->arena, &todo, l->x->fork_inst);
	while (todo.n) {
		const Inst *in = pta_inst(r->pta, todo.at[--todo.n]);
		for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
			u32 e = r->pta->callers.at[k];
			const Edge *edge = &r->pta->edges.at[e];
			if (l->back[edge->from] || !l->above[edge->from] || !is_meant(l, e) ||
			    !returns_from(l, edge->from, edge->ins))
				continue;
			l->back[edge->from] = true;
			vec_push(r->arena, &todo, edge->from);
		}
	}
	arena_recycle(r->arena, todo.at, todo.cap * sizeof *todo.at);
}

/* May the instance have started the thread when it comes to the instruction? */
static bool
started_before(const Link *l, InstId inst, InsId at)
{
	const Races *r = l->rs->r;
	FnId fn = inst_fn(r, inst);
	const Inst *in = pta_inst(r->pta, inst);

	if (!l->above[inst])
		return false;
	if (inst == l->x->fork_inst && walk_reaches(r->walk, fn, l->x->fork, at))
		return true;
	for (u32 e = in->edge; e < in->edge + in->nedge; e++) {
		const Edge *edge = &r->pta->edges.at[e];
		if (l->back[edge->to] && is_meant(l, e) && walk_reaches(r->walk, fn, edge->ins, at))
			return true;
	}
	return false;
}

static void
find_entered(const Link *l)
{
	const Races *r = l->rs->r;
	InstId start = thread_get(r->conc->threads, l->by)->start;
	VecU32 todo = {0};

	l->entered[start] = EARLY;
	vec_push(r->arena, &todo, start);
	while (todo.n) {
		InstId inst = todo.at[--todo.n];
		const Inst *in = pta_inst(r->pta, inst);
		for (u32 e = in->edge; e < in->edge + in->nedge; e++) {
			const Edge *edge = &r->pta->edges.at[e];
			u8 how = l->entered[inst];
			if (!is_meant(l, e))
				continue;
			if (!(how & LATE) && started_before(l, inst, edge->ins))
				how |= LATE;
			if ((l->entered[edge->to] | how) == l->entered[edge->to])
				continue;
			l->entered[edge->to] |= how;
			vec_push(r->arena, &todo, edge->to);
		}
	}
	arena_recycle(r->arena, todo.at, todo.cap * sizeof *todo.at);
}

/* What is known of the thread and its creator, found on first use. */
static const Link *
link_of(Reasons *rs, ThreadId t)
{
	const Races *r = rs->r;
	const Thread *x = thread_get(r->conc->threads, t);
	Link *l;

	if (!rs->links)
		rs->links = arena_array(r->arena, struct Link *, r->conc->threads->at.n + 1);
	if (rs->links[t])
		return rs->links[t];
	l = rs->links[t] = arena_new(r->arena, Link);
	*l = (Link){.rs = rs, .by = thread_get(r->conc->threads, x->parent)->crew, .x = x};
	l->above = arena_array(r->arena, bool, r->pta->insts.n + 1);
	l->entered = arena_array(r->arena, u8, r->pta->insts.n + 1);
	l->back = arena_array(r->arena, bool, r->pta->insts.n + 1);
	find_above(l);
	find_back(l);
	find_entered(l);
	return l;
}

/* Is t not started, by calls that are meant, when the other thread comes to x? */
static bool
is_unstarted(Reasons *rs, const Access *x, ThreadId t)
{
	const Races *r = rs->r;

	if (threads_is_crew(r->conc->threads, x->thread))
		return false;
	for (; t != 1 && !threads_is_crew(r->conc->threads, t);
	     t = thread_get(r->conc->threads, t)->parent) {
		const Link *l = link_of(rs, t);
		if (!l->entered[l->x->fork_inst])
			return true;
		if (l->by == x->thread)
			return l->entered[x->inst] == EARLY && !started_before(l, x->inst, x->ins);
	}
	return false;
}

/* An access meets many others of few threads, so the last answer is kept. */
bool
reason_unstarted(Reasons *rs, u32 a, u32 b)
{
	const Races *r = rs->r;
	ThreadId t = access_at(r, b)->thread;

	if (!r->conc->guess)
		return false;
	if (!rs->unstarted)
		rs->unstarted = arena_array(r->arena, u32, r->conc->accesses.n);
	if (rs->unstarted[a] / 2 != t)
		rs->unstarted[a] = t * 2 + is_unstarted(rs, access_at(r, a), t);
	return rs->unstarted[a] % 2;
}

/* reason_first.c - what is run once, before a thread is started.
 *
 *	make() { p = malloc(...); pthread_once(&o, set_up); pthread_create(&p->thread, ..., p); return p; }
 *	use() { if (!made) made = make(); ... }
 *
 * A thread that reads what set_up has made need not ask for it again, if who has started it has
 * passed the once before.  Later calls of that set up nothing, so the write is no matter where it
 * seems to come behind the start, in the next round of a loop.  Asked is whether the creator
 * has a function in which a call that passes the once comes before each call that starts the thread, or
 * does but where an object is there already that is made together with it.  That the thread is never
 * started in another way, and that the object is made so, is not shown: this is a reason only.
 *
 * Who may come to the once, and who to the fork, are found by one search each through their
 * callers, for each once and thread. */
#include "conc/guess.h"
#include "race/reason_int.h"

enum { MAX_TESTS = 3 /* of objects that are there, around a call */ };

typedef struct First {
	Map passing; /* SlotId -> index plus 1 in insts */
	Vec(Set) insts;
	Map answers; /* (SlotId, ThreadId) -> 1 no, 2 yes */
} First;

/* ---- onces --------------------------------------------------------------------------- */

/* The place that pointer v in inst is certainly of; 0 none. */
static SlotId
only_place(const Races *r, InstId inst, Val v)
{
	const Set *pts = pta_pts(r->pta, inst, v);

	return set_single(pts) && pta_slot_exact(r->pta, set_first(pts)) ? set_first(pts) : 0;
}

static bool
passes(const Ins *i)
{
	return i->op == OP_AWAIT && i->sub == EVENT_ONCE;
}

static First *
find_onces(Reasons *rs)
{
	const Races *r = rs->r;
	First *f = arena_new(r->arena, First);
	bool any = false;

	for (InsId i = 1; i < r->ir->ins.n && !any; i++)
		any = op_at(r, i) == OP_AWAIT && passes(ir_ins(r->ir, i));
	for (InstId inst = 1; any && inst < r->pta->insts.n; inst++) {
		const Fn *fn = pta_fn(r->pta, inst);
		for (InsId k = fn->ins; k < fn->ins + fn->nins; k++) {
			const Ins *i = ir_ins(r->ir, k);
			SlotId slot = passes(i) ? only_place(r, inst, ins_arg(r->ir, i, 0)) : 0;
			u32 *at = slot ? map_at(r->arena, &f->passing, slot) : NULL;
			if (!at)
				continue;
			if (!*at) {
				vec_push(r->arena, &f->insts, (Set){0});
				*at = f->insts.n;
			}
			set_add(r->arena, &f->insts.at[*at - 1], inst);
		}
	}
	return f;
}

/* ---- who comes first -------------------------------------------------------------------- */

/* The two calls of a function that are asked for. */
typedef struct Asked {
	const Races *r;
	FnId fn;
	InsId once, start;
} Asked;

/* Is it the edge to a block by which an object is not there? */
static bool
says_absent(const Races *r, const Fn *f, const Block *b, BlockId to)
{
	const Ins *branch = ir_ins(r->ir, b->ins + b->nins - 1);
	Val v = branch->op == OP_CBR ? ins_arg(r->ir, branch, 0) : 0;
	InsId def = val_is_reg(v) ? fn_reg(r->ir, f, v)->def : 0;
	const Ins *test = def ? ir_ins(r->ir, def) : NULL;
	const Const *zero;
	const Ins *load;

	if (!test || test->op != OP_CMP || (test->sub != CMP_EQ && test->sub != CMP_NE) ||
	    !val_is_const(ins_arg(r->ir, test, 1)) || !val_is_reg(ins_arg(r->ir, test, 0)))
		return false;
	zero = ir_const(r->ir, ins_arg(r->ir, test, 1));
	def = fn_reg(r->ir, f, ins_arg(r->ir, test, 0))->def;
	load = def ? ir_ins(r->ir, def) : NULL;
	return zero->kind == CONST_NULL && load && load->op == OP_LOAD &&
	       r->ir->succs.at[b->succ + (test->sub == CMP_NE)] == to &&
	       r->ir->succs.at[b->succ + (test->sub == CMP_EQ)] != to;
}

/* Does each way to the start lead through the call that passes the once, or past it where an object is
 * there? */
static bool
comes_first(const Asked *q)
{
	Walk *w = q->r->walk;
	const Fn *f = &q->r->ir->fns.at[q->fn];
	BlockId at = walk_block(w, q->fn, q->once), start = walk_block(w, q->fn, q->start);

	if (walk_dominates(w, q->fn, q->once, q->start))
		return true;
	if (!walk_reaches_in_round(w, q->fn, q->once, q->start))
		return false;
	for (u32 n = 0; n < MAX_TESTS && at; n++) {
		BlockId up = walk_idom(w, q->fn, at);
		if (!up || !says_absent(q->r, f, fn_block(q->r->ir, f, up), at))
			return false;
		if (walk_block_dominates(w, q->fn, up, start))
			return true;
		at = up;
	}
	return false;
}

/* Fills out with what comes to one of insts by calls that by is meant to make, these among them. */
static void
find_above(const Races *r, ThreadId by, const Set *insts, bool *out)
{
	const Conc *c = r->conc;
	VecU32 todo = {0};

	SET_FOR (it, insts) {
		out[it.x] = true;
		vec_push(r->arena, &todo, it.x);
	}
	while (todo.n) {
		const Inst *in = pta_inst(r->pta, todo.at[--todo.n]);
		for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
			u32 e = r->pta->callers.at[k];
			const Edge *edge = &r->pta->edges.at[e];
			if (out[edge->from] || edge->fork || (c->ending && c->ending[e]) ||
			    guess_doubts(c->guess, c->threads, by, e))
				continue;
			out[edge->from] = true;
			vec_push(r->arena, &todo, edge->from);
		}
	}
	arena_recycle(r->arena, todo.at, todo.cap * sizeof *todo.at);
}

/* Fills out with the instructions by which inst, or what it calls, comes there. */
static void
find_calls(const Races *r, InstId inst, const bool *there, Set *out)
{
	const Inst *in = pta_inst(r->pta, inst);

	for (u32 e = in->edge; e < in->edge + in->nedge; e++)
		if (!r->pta->edges.at[e].fork && there[r->pta->edges.at[e].to])
			set_add(r->arena, out, r->pta->edges.at[e].ins);
}

/* Fills out with the waits of inst itself for what is run once. */
static void
find_waits(const Races *r, InstId inst, SlotId slot, Set *out)
{
	const Fn *fn = pta_fn(r->pta, inst);

	for (InsId k = fn->ins; k < fn->ins + fn->nins; k++) {
		const Ins *i = ir_ins(r->ir, k);
		if (passes(i) && only_place(r, inst, ins_arg(r->ir, i, 0)) == slot)
			set_add(r->arena, out, k);
	}
}

static bool
first_in(const Races *r, const Thread *t, SlotId slot, InstId inst, const bool *passing,
	 const bool *starting)
{
	Set once = {0}, start = {0};
	bool first = false;

	find_calls(r, inst, passing, &once);
	find_waits(r, inst, slot, &once);
	find_calls(r, inst, starting, &start);
	if (inst == t->fork_inst)
		set_add(r->arena, &start, t->fork);
	SET_FOR (c, &once)
		if (!set_has(&start, c.x)) {
			bool all = !set_empty(&start);
			SET_FOR (k, &start)
				all &= comes_first(&(Asked){r, inst_fn(r, inst), c.x, k.x});
			first |= all;
		}
	set_recycle(r->arena, &once);
	set_recycle(r->arena, &start);
	return first;
}

/* Does the creator of t pass the once before it starts it? */
static bool
passed_first(const Races *r, const Thread *t, SlotId slot, const Set *insts)
{
	bool *passing = arena_array(r->arena, bool, r->pta->insts.n + 1);
	bool *starting = arena_array(r->arena, bool, r->pta->insts.n + 1), first = false;
	ThreadId by = thread_get(r->conc->threads, t->parent)->crew;
	Set fork = {0};

	set_add(r->arena, &fork, t->fork_inst);
	find_above(r, by, insts, passing);
	find_above(r, by, &fork, starting);
	for (InstId inst = 1; inst < r->pta->insts.n && !first; inst++)
		if (passing[inst] && starting[inst] && set_has(&r->conc->threads->insts[by], inst))
			first = first_in(r, t, slot, inst, passing, starting);
	set_recycle(r->arena, &fork);
	arena_recycle(r->arena, passing, (r->pta->insts.n + 1) * sizeof *passing);
	arena_recycle(r->arena, starting, (r->pta->insts.n + 1) * sizeof *starting);
	return first;
}

bool
reason_first(Reasons *rs, u32 a, u32 b)
{
	const Races *r = rs->r;
	const Access *x = access_at(r, a);
	const Threads *th = r->conc->threads;
	ThreadId t = access_at(r, b)->thread;
	const HeldLock *held;
	u32 n;

	if (rs->no_onces)
		return false;
	if (!rs->first) {
		rs->first = find_onces(rs);
		rs->no_onces = !rs->first->insts.n;
	}
	if (rs->no_onces || t == x->thread || threads_is_crew(th, x->thread) || !x->held)
		return false;
	while (t != 1 && !threads_is_crew(th, t) && thread_get(th, t)->parent != x->thread)
		t = thread_get(th, t)->parent;
	n = t != 1 && !threads_is_crew(th, t) ? locks_list(r->conc->locks, x->inst, x->held, &held)
					      : 0;
	for (u32 k = 0; k < n; k++) {
		u32 at =
		    held[k].mode == LOCK_WRITE ? map_get(&rs->first->passing, held[k].slot) : 0;
		u32 *known =
		    at ? map_at(r->arena, &rs->first->answers, map_pair(held[k].slot, t)) : NULL;
		if (known && !*known)
			*known = 1 + passed_first(r, thread_get(th, t), held[k].slot,
						  &rs->first->insts.at[at - 1]);
		if (known && *known == 2)
			return true;
	}
	return false;
}

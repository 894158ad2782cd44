/* reason_scope.c - threads that end with the call that starts them.
 *
 * A function that waits for the thread it has started on every way on which it returns is the *scope* of
 * that thread; so are all callers of one that only starts, if each of them waits.  Who is in no scope meets no
 * such thread, and threads of two scopes that are entered one after the other do not meet:
 *	run(first, d) starts workers and joins them; run(second, d) starts others.
 * Neither way is certain (see reason_join.c), and where many threads do so, it holds only of what each
 * has for itself (reason_of_one). */
#include "race/reason_int.h"

enum {
	STARTING = 3,
	STARTERS = 24
}; /* calls between a fork and who waits; callers of one function */

struct Scopes {
	VecU32 whole; /* instances: the scopes */
	VecU32 inner; /* those that may come back while the thread still runs */
};

/* Does the loop of the join end here with all that it came to waited for: behind the join, or
 * where no other end of it comes before? */
static bool
ends_waiting(const Races *r, FnId fn, BlockId b, InsId join)
{
	const Fn *f = &r->ir->fns.at[fn];
	const Block *bl = fn_block(r->ir, f, b);
	InsId end = bl->ins + bl->nins - 1;

	if (!reason_ends_cycle(r, fn, b, join))
		return false;
	for (BlockId c = 1; c <= f->nblock && !walk_dominates(r->walk, fn, join, end); c++)
		if (c != b && reason_ends_cycle(r, fn, c, join) &&
		    walk_dominates(r->walk, fn, fn_block(r->ir, f, c)->ins, end))
			return false;
	return true;
}

/* Where a way from a fork has waited for its thread: in a block, or where it leaves one by an end of
 * the loop of a join. */
typedef struct Waits {
	InsId *in;    /* [BlockId]: the first that waits, behind the fork; 0 none */
	InsId *loops; /* [BlockId]: the join */
} Waits;

/* Where x, which `at` starts, was waited for. */
static void
mark_waiting(const Races *r, Point at, const Thread *x, bool all, Waits *out)
{
	FnId fn = inst_fn(r, at.inst);
	const Fn *f = pta_fn(r->pta, at.inst);
	BlockId from = walk_block(r->walk, fn, at.ins);

	out->in = arena_array(r->arena, InsId, f->nblock + 1);
	out->loops = arena_array(r->arena, InsId, f->nblock + 1);
	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		BlockId in, head;
		if (id == at.ins || !reason_waits_here(r, at.inst, id, x, all))
			continue;
		in = walk_block(r->walk, fn, id);
		head = reason_loop(r, fn, id);
		/* In the fork's own block it must come behind it, or in the next round; in a loop
		 * that the fork is not in, all rounds must have passed. */
		if (in == from ? id > at.ins
			       : !walk_cyclic(r->walk, fn, in) ||
				     (head ? walk_in_loop(r->walk, fn, head, from)
					   : walk_block_reaches(r->walk, fn, in, from)))
			out->in[in] = out->in[in] ? out->in[in] : id;
		for (BlockId b = 1; walk_cyclic(r->walk, fn, in) && b <= f->nblock; b++)
			if (ends_waiting(r, fn, b, id))
				out->loops[b] = id;
	}
}

static bool
waited_in(const Waits *waits, BlockId b, InsId before)
{
	return waits->in[b] && waits->in[b] < before;
}

/* Does every way from there to another instruction, or to a return if that is 0, wait? */
static bool
waits_on_all_ways(const Races *r, Point at, InsId to, const Waits *waits)
{
	FnId fn = inst_fn(r, at.inst);
	const Fn *f = pta_fn(r->pta, at.inst);
	bool *seen = arena_array(r->arena, bool, f->nblock + 1);
	VecU32 work = {0};
	BlockId b = walk_block(r->walk, fn, at.ins), end = to ? walk_block(r->walk, fn, to) : 0;

	if (b == end && to > at.ins && !waited_in(waits, b, to))
		return false;
	vec_push(r->arena, &work, b);
	while (work.n) {
		const Block *bl = fn_block(r->ir, f, b = work.at[--work.n]);
		InsId join = waits->loops[b];
		if (end && bl->exc == end && !waited_in(waits, end, to))
			return false;
		if (end && bl->exc && !seen[b])
			vec_push(r->arena, &work, bl->exc);
		if (waits->in[b] || seen[b])
			continue;
		seen[b] = true;
		if (!end && ir_ins(r->ir, bl->ins + bl->nins - 1)->op == OP_RET)
			return false;
		for (u32 k = 0; k < bl->nsucc; k++) {
			BlockId next = r->ir->succs.at[bl->succ + k];
			if (join && reason_leaves_loop(r, fn, next, join))
				continue;
			if (next == end && !waited_in(waits, end, to))
				return false;
			vec_push(r->arena, &work, next);
		}
	}
	return true;
}

/* Adds the functions in which x, which `at` starts, is also waited for, on every way: its own, or
 * all that call it.  False: one of them may leave it running. */
static bool
add_scopes(const Races *r, Point at, const Thread *x, u32 up, struct Scopes *out)
{
	const Inst *in = pta_inst(r->pta, at.inst);
	Waits waits;

	mark_waiting(r, at, x, false, &waits);
	if (waits_on_all_ways(r, at, 0, &waits)) {
		vec_push(r->arena, &out->whole, at.inst);
		return true;
	}
	vec_push(r->arena, &out->inner, at.inst);
	if (!up || !in->ncaller || in->ncaller > STARTERS)
		return false;
	for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
		const Edge *e = &r->pta->edges.at[r->pta->callers.at[k]];
		if (e->fork || !add_scopes(r, (Point){e->from, e->ins}, x, up - 1, out))
			return false;
	}
	return true;
}

const struct Scopes *
reason_scopes(Reasons *rs, ThreadId t)
{
	const Races *r = rs->r;
	const Thread *x = thread_get(r->conc->threads, t);
	struct Scopes *found = rs->scopes[t];

	if (!found) {
		found = rs->scopes[t] = arena_new(r->arena, struct Scopes);
		if (!x->fork || !add_scopes(r, (Point){x->fork_inst, x->fork}, x, STARTING, found))
			found->whole.n = 0;
	}
	return found->whole.n ? found : NULL;
}

static bool
has(const VecU32 *insts, InstId inst)
{
	for (u32 i = 0; i < insts->n; i++)
		if (insts->at[i] == inst)
			return true;
	return false;
}

bool
reason_within(Reasons *rs, u32 access, const struct Scopes *scopes)
{
	const Facts *f = facts_of(rs, access);

	for (u32 k = 0; k < f->nframe; k++)
		if (has(&scopes->whole, frame_of(rs, f, k)->inst))
			return true;
	return f->nframe == FRAMES;
}

bool
reason_leaves_none(Reasons *rs, Point call, const struct Scopes *scopes)
{
	u32 n;
	const Edge *to = pta_targets(rs->r->pta, call.inst, call.ins, &n);

	if (!scopes || ir_ins(rs->r->ir, call.ins)->op != OP_CALL)
		return false;
	for (u32 k = 0; k < n; k++)
		if (has(&scopes->inner, to[k].to))
			return false;
	return true;
}

bool
reason_takes_back(const Races *r, Point start, InsId to, const Thread *x)
{
	Waits waits;

	mark_waiting(r, start, x, true, &waits);
	return waits_on_all_ways(r, start, to, &waits);
}

/* Is no scope of the one entered within one of the other? */
static bool
scopes_apart(Reasons *rs, const struct Scopes *x, const struct Scopes *y)
{
	for (u32 i = 0; i < x->whole.n; i++)
		for (u32 k = 0; k < y->whole.n; k++)
			if (above_calls(rs->above, x->whole.at[i], y->whole.at[k]) ||
			    above_calls(rs->above, y->whole.at[k], x->whole.at[i]))
				return false;
	return true;
}

bool
reason_in_turn(Reasons *rs, u32 a, u32 b, ObjId o)
{
	const Races *r = rs->r;
	const Threads *th = r->conc->threads;
	const struct Scopes *x, *y;

	for (ThreadId t = access_at(r, a)->thread; (x = reason_scopes(rs, t)) != NULL;
	     t = thread_get(th, t)->parent)
		for (ThreadId u = access_at(r, b)->thread; (y = reason_scopes(rs, u)) != NULL;
		     u = thread_get(th, u)->parent)
			if (t != u && thread_get(th, t)->parent == thread_get(th, u)->parent)
				return scopes_apart(rs, x, y) &&
				       reason_of_one(r, thread_get(th, t)->parent, o);
	return false;
}

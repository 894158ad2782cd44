/* reason_lock.c - locks that may be held though they are not known to be.
 *
 * Conditional locking: a lock is held on some of the paths to the access, and
 * the other side holds what may be that lock, always or on some paths; but for a lock that was tried, where the
 * program sees that it has failed, and goes on to the access all the same.  Re-entrant locks: on the way to the access a
 * lock was certainly acquired more often than it may have been released. */
#include "conc/sign.h"
#include "race/reason_int.h"

enum { CALLS = 4 }; /* followed, one in another, to see what they do to locks */

/* The instances that contain op, or call one that does. */
static const Set *
containing(Reasons *rs, Op op, Set **memo)
{
	const Races *r = rs->r;
	VecU32 have = {0};

	if (*memo)
		return *memo;
	*memo = arena_new(r->arena, Set);
	for (InstId i = 1; i < r->pta->insts.n; i++) {
		const Fn *f = pta_fn(r->pta, i);

		for (InsId id = f->ins; id < f->ins + f->nins; id++)
			if (op_at(r, id) == op) {
				vec_push(r->arena, &have, i);
				break;
			}
	}
	above_add_all(rs->above, &have, *memo);
	arena_recycle(r->arena, have.at, have.cap * sizeof *have.at);
	return *memo;
}

bool
reason_moves_locks(Reasons *rs, InstId inst, InsId ins)
{
	return reason_calls(rs, inst, ins, containing(rs, OP_RELEASE, &rs->releasing)) ||
	       reason_calls(rs, inst, ins, containing(rs, OP_ACQUIRE, &rs->acquiring));
}

/* Does a path lead from behind `from` out of the function that avoids the block
 * of `to`?  If none does, what became of `from` cannot decide over `to`. */
static bool
avoidable(const Races *r, FnId fn, InsId from, InsId to)
{
	const Fn *f = &r->ir->fns.at[fn];
	BlockId b = walk_block(r->walk, fn, from), target = walk_block(r->walk, fn, to);
	bool *seen, leaves;
	VecU32 work = {0};

	if (b == target && from < to)
		return false;
	seen = arena_array(r->arena, bool, f->nblock + 1);
	for (;;) {
		const Block *bl = fn_block(r->ir, f, b);

		leaves = !bl->nsucc;
		for (u32 k = 0; k < bl->nsucc; k++) {
			BlockId s = r->ir->succs.at[bl->succ + k];

			if (s == target || seen[s])
				continue;
			seen[s] = true;
			vec_push(r->arena, &work, s);
		}
		if (leaves || !work.n)
			break;
		b = work.at[--work.n];
	}
	arena_recycle(r->arena, seen, (f->nblock + 1) * sizeof *seen);
	arena_recycle(r->arena, work.at, work.cap * sizeof *work.at);
	return leaves;
}

/* Does ins take a lock, in a way that may say whether `at` is reached?  One that
 * only tries to, and whose failure leads there as well, keeps nobody away. */
static bool
takes(const Reasons *rs, const Frame *at, InsId ins, const Set *acquiring)
{
	const Races *r = rs->r;
	const Ins *i = ir_ins(r->ir, ins);

	if (i->op == OP_ACQUIRE)
		return !(i->flags & INS_TRY) || avoidable(r, inst_fn(r, at->inst), ins, at->ins);
	return reason_calls(rs, at->inst, ins, acquiring);
}

/* Is something held behind ins, if that is so before it?  In a function that holds
 * nothing for sure (calm), a call that both takes and gives back is taken to give back
 * what it took. */
static bool
holds_behind(const Reasons *rs, const Frame *at, InsId ins, bool before, bool calm)
{
	bool gives = reason_calls(rs, at->inst, ins, rs->releasing);

	if (ir_ins(rs->r->ir, ins)->op == OP_RELEASE ||
	    (gives && !(calm && reason_calls(rs, at->inst, ins, rs->acquiring))))
		return false;
	return before || (!gives && takes(rs, at, ins, rs->acquiring));
}

/* At the entry of which blocks may a lock be held that the function or a callee
 * took?  True only spreads, from block to successor, so each is left twice at most. */
static bool *
holding_blocks(Reasons *rs, const Frame *at, bool calm)
{
	const Races *r = rs->r;
	const Fn *f = pta_fn(r->pta, at->inst);
	bool *holds = arena_array(r->arena, bool, f->nblock + 1);
	VecU32 work = {0};

	for (BlockId b = f->nblock; b; b--)
		vec_push(r->arena, &work, b);
	while (work.n) {
		BlockId b = work.at[--work.n];
		const Block *bl = fn_block(r->ir, f, b);
		bool held = holds[b];

		for (InsId id = bl->ins; id < bl->ins + bl->nins; id++)
			held = holds_behind(rs, at, id, held, calm);
		for (u32 k = 0; held && k < bl->nsucc; k++) {
			BlockId s = r->ir->succs.at[bl->succ + k];

			if (!holds[s])
				vec_push(r->arena, &work, s);
			holds[s] = true;
		}
	}
	arena_recycle(r->arena, work.at, work.cap * sizeof *work.at);
	return holds;
}

static bool
has_tries(const Races *r, InstId inst)
{
	const Fn *f = pta_fn(r->pta, inst);

	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if (ir_ins(r->ir, id)->op == OP_ACQUIRE && (ir_ins(r->ir, id)->flags & INS_TRY))
			return true;
	return false;
}

/* Can a path lead to the frame's instruction from an acquisition, its own or a
 * callee's, with no release on it?  Where a lock is only tried for, the answer
 * depends on the frame; else the blocks are looked at once for each instance. */
static bool
may_hold(Reasons *rs, const Frame *at, bool calm)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, at->inst);
	BlockId b = walk_block(r->walk, fn, at->ins);
	bool **known = &rs->holding[at->inst * 2 + calm], *holds = *known, held;

	containing(rs, OP_ACQUIRE, &rs->acquiring);
	containing(rs, OP_RELEASE, &rs->releasing);
	if (!holds) {
		holds = holding_blocks(rs, at, calm);
		if (!has_tries(r, at->inst))
			*known = holds;
	}
	held = holds[b];
	for (InsId id = fn_block(r->ir, &r->ir->fns.at[fn], b)->ins; id < at->ins; id++)
		held = holds_behind(rs, at, id, held, calm);
	if (!*known)
		arena_recycle(r->arena, holds, (r->ir->fns.at[fn].nblock + 1) * sizeof *holds);
	return held;
}

/* Does the function itself hold nothing for sure at the frame's instruction? */
static bool
is_calm(const Reasons *rs, const Frame *at)
{
	Locks *l = rs->r->conc->locks;
	RelId here = locks_before(l, at->inst, at->ins);

	return !locks_count(l, locks_held(l, at->inst, 0, here));
}

/* What the edge says of the sign of reg. */
static u32
sign_on_edge(const Races *r, const Fn *f, const Block *b, u32 succ, Val reg)
{
	SignFact facts[SIGN_FACTS];
	u32 n = sign_edge(r->ir, f, b, succ, facts), mask = SIGN_ANY;

	for (u32 i = 0; i < n; i++)
		if (facts[i].reg == reg)
			mask &= facts[i].mask;
	return mask;
}

/* Does anything in the block before `end` touch a lock? */
static bool
locks_within(Reasons *rs, InstId inst, const Block *b, InsId end)
{
	for (InsId id = b->ins; id < b->ins + b->nins && id < end; id++) {
		Op op = (Op)ir_ins(rs->r->ir, id)->op;
		if (op == OP_ACQUIRE || (op == OP_CALL && reason_moves_locks(rs, inst, id)))
			return true;
	}
	return false;
}

/* Does a way lead to the frame's instruction from an edge on which the attempt has failed, past
 * no other attempt, and past no branch on anything but how it went? */
static bool
goes_on_failed(Reasons *rs, const Frame *at, InsId try)
{
	const Races *r = rs->r;
	const Fn *f = pta_fn(r->pta, at->inst);
	Val result = ir_ins(r->ir, try)->dst;
	BlockId to = walk_block(r->walk, inst_fn(r, at->inst), at->ins);
	u8 *seen = arena_array(r->arena, u8, f->nblock + 1); /* 1: as it may be; 2: failed */
	VecU32 work = {0};
	bool found = false;

	vec_push(r->arena, &work, walk_block(r->walk, inst_fn(r, at->inst), try) * 2);
	while (work.n && !found) {
		u32 top = work.at[--work.n];
		const Block *b = fn_block(r->ir, f, top / 2);
		bool failed = top & 1, branch = b->nsucc > 1;
		u32 know = 0;
		found = failed && top / 2 == to && !locks_within(rs, at->inst, b, at->ins);
		if (failed && locks_within(rs, at->inst, b, b->ins + b->nins))
			continue;
		for (u32 k = 0; k < b->nsucc; k++)
			know |= sign_on_edge(r, f, b, k, result) != SIGN_ANY;
		for (u32 k = 0; k < b->nsucc && (!branch || know); k++) {
			BlockId next = r->ir->succs.at[b->succ + k];
			u32 sign = sign_on_edge(r, f, b, k, result);
			bool fails = failed || (branch && !(sign & SIGN_ZERO));
			if (!(sign & (failed ? ~(u32)SIGN_ZERO : SIGN_ANY)) ||
			    seen[next] & (fails ? 2 : 1))
				continue;
			seen[next] |= fails ? 2 : 1;
			vec_push(r->arena, &work, next * 2 + fails);
		}
	}
	arena_recycle(r->arena, work.at, work.cap * sizeof *work.at);
	arena_recycle(r->arena, seen, (f->nblock + 1) * sizeof *seen);
	return found;
}

/* Is the one lock that the frame's function takes one that it tries, and is the frame's instruction done
 * as well where that has failed? */
static bool
ignores_failure(Reasons *rs, const Frame *at)
{
	const Fn *f = pta_fn(rs->r->pta, at->inst);
	InsId try = 0;

	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(rs->r->ir, id);
		if (op_at(rs->r, id) != OP_ACQUIRE)
			continue;
		if (try || !(i->flags & INS_TRY) || !i->dst || i->cond != SIGN_ZERO)
			return false;
		try = id;
	}
	return try && goes_on_failed(rs, at, try);
}

/* The frame of a harness is conditional for no call of it: each caller of an open program
 * begins with none of its locks, whatever calls came before. */
static bool
frame_conditional(Reasons *rs, u32 frame)
{
	FrameFacts *f = &rs->frames.at[frame];

	if (!f->conditional)
		f->conditional =
		    1 + (!(pta_fn(rs->r->pta, f->at.inst)->flags & FN_SYNTHETIC) &&
			 !ignores_failure(rs, &f->at) &&
			 locks_conditional(rs->r->conc->locks, f->at.inst, f->at.ins) &&
			 (may_hold(rs, &f->at, false) ||
			  (is_calm(rs, &f->at) && may_hold(rs, &f->at, true))));
	return f->conditional == 2;
}

static bool
is_conditional(Reasons *rs, u32 access)
{
	Facts *f = facts_of(rs, access);

	if (!f->conditional) {
		bool yes = false;

		for (u32 i = 0; i < f->nframe && !yes; i++)
			yes = frame_conditional(rs, f->frame[i]);
		f->conditional = 1 + yes;
	}
	return f->conditional == 2;
}

/* Is a frame of the access conditional on a lock that the other one holds, or is conditional on? */
static bool
is_conditional_on(Reasons *rs, u32 access, u32 other)
{
	Locks *l = rs->r->conc->locks;
	const Facts *f = facts_of(rs, access), *g = facts_of(rs, other);
	LocksetId held = access_at(rs->r, other)->held;
	bool both = is_conditional(rs, other);

	for (u32 i = 0; is_conditional(rs, access) && i < f->nframe; i++) {
		Frame at = rs->frames.at[f->frame[i]].at;
		if (!frame_conditional(rs, f->frame[i]))
			continue;
		if (held && locks_conditional_on(l, at.inst, at.ins, held))
			return true;
		for (u32 k = 0; both && k < g->nframe; k++) {
			Frame to = rs->frames.at[g->frame[k]].at;
			if (frame_conditional(rs, g->frame[k]) &&
			    locks_conditional_alike(l, at.inst, at.ins, to.inst, to.ins))
				return true;
		}
	}
	return false;
}

bool
reason_conditional(Reasons *rs, u32 a, u32 b)
{
	return is_conditional_on(rs, a, b) || is_conditional_on(rs, b, a);
}

/* The one lock object that the instruction works on, 0 if there are several. */
static SlotId
lock_of(const Races *r, InstId inst, const Ins *i)
{
	const Set *pts = pta_pts(r->pta, inst, ins_arg(r->ir, i, 0));
	SlotId s = set_single(pts) ? set_first(pts) : 0;

	return s && pta_slot_exact(r->pta, s) &&
		       threads_single(r->conc->threads, pta_slot(r->pta, s)->obj)
		   ? s
		   : 0;
}

/* Does every path through the function pass the instruction? */
static bool
always(const Races *r, FnId fn, InsId id)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId k = f->ins; k < f->ins + f->nins; k++)
		if (ir_ins(r->ir, k)->op == OP_RET && !walk_dominates(r->walk, fn, id, k))
			return false;
	return true;
}

static void
count(const Races *r, LockCounts *net, SlotId lock, i32 by)
{
	u32 *at;

	if (!lock)
		return;
	at = map_at(r->arena, &net->index, lock);
	if (!*at) {
		vec_push(r->arena, &net->locks, (LockCount){lock, 0});
		*at = net->locks.n;
	}
	net->locks.at[*at - 1].net += by;
}

static void
count_all(const Races *r, LockCounts *net, const LockCounts *more)
{
	for (u32 i = 0; i < more->locks.n; i++)
		count(r, net, more->locks.at[i].lock, more->locks.at[i].net);
}

static const LockCounts *tally(Reasons *rs, Frame at, bool sure, u32 depth);

/* What the callees of a call do to locks. */
static void
tally_call(Reasons *rs, const Frame *at, InsId id, bool passed, u32 depth, LockCounts *net)
{
	u32 n;
	const Edge *e = pta_targets(rs->r->pta, at->inst, id, &n);

	for (u32 k = 0; k < n; k++)
		if (above_has(rs->above, containing(rs, OP_RELEASE, &rs->releasing), e[k].to))
			count_all(rs->r, net,
				  tally(rs, (Frame){e[k].to, 0}, passed && n == 1, depth - 1));
}

static void
tally_body(Reasons *rs, const Frame *at, bool sure, u32 depth, LockCounts *net)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);
		Op op = op_at(r, id);
		bool takes = op == OP_ACQUIRE, calls = op == OP_CALL && depth && id != at->ins;
		bool passed;

		if ((!takes && !calls && op != OP_RELEASE) || i->flags & INS_TRY ||
		    (at->ins && !walk_reaches(r->walk, fn, id, at->ins)))
			continue;
		passed = sure &&
			 (at->ins ? walk_dominates(r->walk, fn, id, at->ins) : always(r, fn, id));
		if (op == OP_RELEASE)
			count(r, net, lock_of(r, at->inst, i), -1);
		if (takes && passed && !(i->flags & INS_ONCE))
			count(r, net, lock_of(r, at->inst, i), 1);
		if (calls)
			tally_call(rs, at, id, passed, depth, net);
	}
}

/* Adds up what a function, and what it calls, does to each lock before the
 * frame's instruction (0: in all): acquisitions that every path passes, if the
 * function itself is `sure` to be passed, and releases that any path may.
 * Found once for each frame. */
static const LockCounts *
tally(Reasons *rs, Frame at, bool sure, u32 depth)
{
	Races *r = rs->r;
	const u32 key[] = {at.inst, at.ins, sure, depth};
	u32 id = intern_bytes(&rs->counted, key, sizeof key);
	LockCounts *net;

	if (id <= rs->counts.n)
		return rs->counts.at[id - 1];
	net = arena_new(r->arena, LockCounts);
	vec_push(r->arena, &rs->counts, net);
	if (above_has(rs->above, containing(rs, OP_ACQUIRE, &rs->acquiring), at.inst) ||
	    above_has(rs->above, containing(rs, OP_RELEASE, &rs->releasing), at.inst))
		tally_body(rs, &at, sure, depth, net);
	return net;
}

static const LockCounts *
frame_counts(Reasons *rs, u32 frame)
{
	if (!rs->frames.at[frame].counts)
		rs->frames.at[frame].counts = tally(rs, rs->frames.at[frame].at, true, CALLS);
	return rs->frames.at[frame].counts;
}

static void
find_lost(Reasons *rs, u32 access, Facts *f)
{
	Races *r = rs->r;
	LockCounts net = {0};

	f->locks_known = true;
	for (u32 i = 0; i < f->nframe; i++)
		count_all(r, &net, frame_counts(rs, f->frame[i]));
	for (u32 i = 0; i < net.locks.n; i++) {
		SlotId lock = net.locks.at[i].lock;

		if (net.locks.at[i].net > 0 &&
		    !locks_has(r->conc->locks, access_at(r, access)->held, lock))
			vec_push(r->arena, &f->lost, lock);
	}
}

/* Does the other side hold, or have lost in the same way, a lock that this
 * one may still hold? */
static bool
shares_lost(Reasons *rs, const Facts *f, u32 other)
{
	Races *r = rs->r;
	const Access *o = access_at(r, other);
	const Facts *g = facts_of(rs, other);

	for (u32 i = 0; i < f->lost.n; i++) {
		if (locks_has(r->conc->locks, o->held, f->lost.at[i]))
			return true;
		for (u32 k = 0; k < g->lost.n; k++)
			if (g->lost.at[k] == f->lost.at[i])
				return true;
	}
	return false;
}

bool
reason_reentrant(Reasons *rs, u32 a, u32 b)
{
	Facts *f = facts_of(rs, a), *g = facts_of(rs, b);

	if (!f->locks_known)
		find_lost(rs, a, f);
	if (!g->locks_known)
		find_lost(rs, b, g);
	return shares_lost(rs, f, b) || shares_lost(rs, g, a);
}

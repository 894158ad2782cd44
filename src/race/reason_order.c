/* reason_order.c - threads that the program's own logic keeps apart (RELAY's
 * non-parallel threads).
 *
 * Five patterns.  A thread whose fork is guarded by a test of a flag that it,
 * or its creator, sets: then two instances of it hardly overlap, nor does one with what its
 * creator does behind the test on the way to the fork.  An access
 * that a signal certainly follows, against one that an await of the same event
 * certainly precedes.  The same with a flag: a constant is stored to it behind
 * the one access, and a loop that only this flag lets end lies before the
 * other.  A count instead of a flag: it is counted on behind the one access,
 * and the other lies on one side of a test of what counting down found.  A creator that always waits, behind the fork, for what the thread
 * signals behind its access, before it goes on.  And a handshake by atomics:
 * each side, behind its access, releases a cell that the other acquires and
 * tests before its own, and these are two cells, or elements of an array: so do Peterson's and Dekker's
 * algorithms, and a ring with one writer and one reader.  "Certainly" is dominance in
 * the functions on the call path, and in those that they certainly call. */
#include "race/reason_int.h"

#include "conc/flag.h"
#include "conc/phase.h"

enum { SMALL = 200 }; /* blocks */

/* The facts of an access, with the frames before which something happens: most have none. */
static const Facts *
events_before(Reasons *rs, u32 access)
{
	Facts *f = facts_of(rs, access);

	for (u32 i = 0; !f->before_known && i < f->nframe; i++) {
		const Events *e = events_at(rs, f->frame[i], true);
		FrameSet bit = (FrameSet)(1u << i);
		f->wait |= e->awaits.n + e->spins.n ? bit : 0;
		f->last |= e->lasts.n ? bit : 0;
		f->look |= e->looks.n ? bit : 0;
	}
	f->before_known = true;
	return f;
}

/* The same of what happens behind them.  In very long functions that is much. */
static const Facts *
events_behind(Reasons *rs, u32 access)
{
	Facts *f = facts_of(rs, access);

	for (u32 i = 0; !f->behind_known && i < f->nframe; i++) {
		const Events *e = events_at(rs, f->frame[i], false);
		FrameSet bit = (FrameSet)(1u << i);
		f->tell |= e->signals.n + e->sets.n ? bit : 0;
		f->give |= e->gives.n ? bit : 0;
	}
	f->behind_known = true;
	return f;
}

/* May the addresses of two instructions be of one cell? */
bool
reason_same_cell(const Races *r, Point x, Point y)
{
	const Set *s = pta_pts(r->pta, x.inst, ins_arg(r->ir, ir_ins(r->ir, x.ins), 0));
	const Set *t = pta_pts(r->pta, y.inst, ins_arg(r->ir, ir_ins(r->ir, y.ins), 0));

	if (set_meets(s, t))
		return true;
	SET_FOR (i, s)
		SET_FOR (k, t)
			if (pta_slot(r->pta, i.x)->obj == pta_slot(r->pta, k.x)->obj &&
			    pta_overlap(r->pta, i.x, 1, k.x, 1))
				return true;
	return false;
}

/* Is the point about a flag or barrier that was understood?  Then it would keep
 * the accesses apart if it could. */
static bool
understood(const Races *r, Point x)
{
	const Set *s = pta_pts(r->pta, x.inst, ins_arg(r->ir, ir_ins(r->ir, x.ins), 0));

	return set_single(s) && (phases_judge(r->conc->phases, set_first(s)) ||
				 flags_judge(r->conc->flags, set_first(s)));
}

/* Is what the load finds compared with something that is computed?  Then nobody has understood
 * what the flag says to whom. */
static bool
is_asked_for_turn(const Races *r, Point load)
{
	const Fn *f = pta_fn(r->pta, load.inst);
	Val v = ir_ins(r->ir, load.ins)->dst;

	for (InsId i = load.ins + 1; v && i < f->ins + f->nins; i++) {
		const Ins *cmp = ir_ins(r->ir, i);
		if (cmp->op == OP_CMP &&
		    (ins_arg(r->ir, cmp, 0) == v || ins_arg(r->ir, cmp, 1) == v))
			return val_is_reg(ins_arg(r->ir, cmp, 0)) &&
			       val_is_reg(ins_arg(r->ir, cmp, 1));
	}
	return false;
}

/* What a meeting of points asks for besides one cell: that the wait is for what is told; that
 * nobody understood the flag, too. */
typedef enum Strict { ANY_WAIT, REAL_WAIT, NOT_UNDERSTOOD } Strict;

/* Does one of the second points work on a cell of one of the first? */
static bool
meet(const Races *r, const Points *x, const Points *y, Strict strict)
{
	for (u32 i = 0; i < x->n; i++)
		for (u32 k = 0; k < y->n; k++)
			if (reason_same_cell(r, x->at[i], y->at[k]) &&
			    !(strict == NOT_UNDERSTOOD && understood(r, x->at[i]) &&
			      !is_asked_for_turn(r, y->at[k])) &&
			    !(strict && reason_raised_late(r, x->at[i], y->at[k])))
				return true;
	return false;
}

bool
reason_meet(const Races *r, const Points *x, const Points *y)
{
	return meet(r, x, y, ANY_WAIT);
}

/* Is one of the signals waited for?  2: by one who cannot have passed without any. */
static u32
meet_signals(Reasons *rs, const Points *signals, const Points *awaits)
{
	u32 how = 0;

	for (u32 k = 0; k < awaits->n && how < 2; k++)
		if (meet(rs->r, signals, &(Points){.at = &awaits->at[k], .n = 1}, NOT_UNDERSTOOD))
			how = reason_primed(rs, awaits->at[k]) ? 1 : 2;
	return how;
}

/* Is one of these events waited for that come behind access a? */
static bool
told(Reasons *rs, u32 a, const Events *waited)
{
	const Facts *f;

	if (!(waited->awaits.n + waited->spins.n))
		return false;
	f = events_behind(rs, a);
	FRAMES_FOR (i, f->tell) {
		const Events *e = events_at(rs, f->frame[i], false);
		if (meet(rs->r, &e->signals, &waited->awaits, ANY_WAIT) ||
		    meet(rs->r, &e->sets, &waited->spins, REAL_WAIT))
			return true;
	}
	return false;
}

/* Is one of what comes behind frame x waited for before frame y?  2: whoever waited cannot have
 * passed without.  Frames far up are on the way to most accesses: what they say is kept. */
static u32
frame_before(Reasons *rs, u32 x, u32 y)
{
	const Races *r = rs->r;
	const Events *e = events_at(rs, x, false), *w = events_at(rs, y, true);
	u32 *known;

	if (!(e->tells & w->waits))
		return 0;
	known = map_at(r->arena, &rs->frame_before, map_pair(x, y) + 1);
	if (!*known)
		*known = 1 + (meet(r, &e->sets, &w->spins, NOT_UNDERSTOOD)
				  ? 2
				  : meet_signals(rs, &e->signals, &w->awaits));
	return *known - 1;
}

/* The same of two accesses. */
static u32
before(Reasons *rs, u32 a, u32 b)
{
	const Facts *g = events_before(rs, b), *f = g->wait ? events_behind(rs, a) : NULL;
	u32 how = 0;

	FRAMES_FOR (i, g->wait)
		FRAMES_FOR (k, f->tell)
			if (how < 2)
				how = MAX(how, frame_before(rs, f->frame[k], g->frame[i]));
	return how;
}

/* Are both done by whoever found, by counting, to be the last? */
static bool
both_last(Reasons *rs, u32 a, u32 b)
{
	const Facts *f = events_before(rs, a), *g = events_before(rs, b);

	FRAMES_FOR (i, f->last)
		FRAMES_FOR (k, g->last)
			if (meet(rs->r, &events_at(rs, f->frame[i], true)->lasts,
				 &events_at(rs, g->frame[k], true)->lasts, NOT_UNDERSTOOD))
				return true;
	return false;
}

/* Adds the reads before b that find what is given behind a. */
static void
find_given(Reasons *rs, u32 a, u32 b, Points *out)
{
	const Facts *g = events_before(rs, b), *f = g->look ? events_behind(rs, a) : NULL;

	FRAMES_FOR (k, g->look) {
		const Points *looks = &events_at(rs, g->frame[k], true)->looks;
		FRAMES_FOR (i, f->give) {
			const Points *gives = &events_at(rs, f->frame[i], false)->gives;
			for (u32 x = 0; x < looks->n; x++)
				for (u32 y = 0; y < gives->n; y++)
					if (reason_same_cell(rs->r, looks->at[x], gives->at[y]))
						vec_push(rs->r->arena, out, looks->at[x]);
		}
	}
}

/* Is it one cell for sure? */
static bool
one_cell(const Races *r, Point x)
{
	const Set *s = pta_pts(r->pta, x.inst, ins_arg(r->ir, ir_ins(r->ir, x.ins), 0));

	return set_single(s) && pta_slot_exact(r->pta, set_first(s));
}

/* Does each side give the other something of its own to look at? */
static bool
handshake(Reasons *rs, u32 a, u32 b)
{
	Points x = {0}, y = {0};

	find_given(rs, a, b, &x);
	if (x.n)
		find_given(rs, b, a, &y);
	for (u32 i = 0; i < x.n; i++)
		for (u32 k = 0; k < y.n; k++)
			if (!reason_same_cell(rs->r, x.at[i], y.at[k]) || !one_cell(rs->r, x.at[i]))
				return true;
	return false;
}

/* Does some way lead from behind an instruction to stop, or out of the function if `out` says
 * so, on which nothing is waited for that access a tells of? */
bool
reason_unawaited(Reasons *rs, Point at, u32 a, InsId stop, bool out)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, at.inst);
	const Fn *f = &r->ir->fns.at[fn];
	bool *seen = arena_array(r->arena, bool, f->nblock + 1), found = false;
	VecU32 work = {0};
	InsId from = at.ins + 1;

	for (;;) {
		const Block *bl = fn_block(r->ir, f, walk_block(r->walk, fn, from));
		bool waited = false;

		for (; from < bl->ins + bl->nins && !waited && !found; from++) {
			found = from == stop || (out && ir_ins(r->ir, from)->op == OP_RET);
			waited = !found && told(rs, a, events_waited(rs, (Point){at.inst, from}));
		}
		for (u32 k = 0; !waited && !found && k < bl->nsucc; k++) {
			BlockId s = r->ir->succs.at[bl->succ + k];

			if (!seen[s]) {
				seen[s] = true;
				vec_push(r->arena, &work, s);
			}
		}
		if (found || !work.n)
			break;
		from = fn_block(r->ir, f, work.at[--work.n])->ins;
	}
	arena_recycle(r->arena, seen, (f->nblock + 1) * sizeof *seen);
	arena_recycle(r->arena, work.at, work.cap * sizeof *work.at);
	return found;
}

/* Does the creator of a's thread always wait, behind the fork, for what a tells of before it comes to b? */
static bool
fork_awaited(Reasons *rs, u32 a, u32 b)
{
	const Races *r = rs->r;
	const Thread *th = thread_get(r->conc->threads, access_at(r, a)->thread);
	const Facts *g = facts_of(rs, b);
	InsId stop = 0;

	if (!th->fork || th->parent != access_at(r, b)->thread)
		return false;
	for (u32 i = 0; i < g->nframe && !stop; i++)
		if (frame_of(rs, g, i)->inst == th->fork_inst)
			stop = frame_of(rs, g, i)->ins;
	/* what is behind an access of a long function is looked for last */
	return !reason_unawaited(rs, (Point){th->fork_inst, th->fork}, a, stop, true) &&
	       events_behind(rs, a)->tell;
}

/* Is the access of one cell of the whole program? */
static bool
of_one_cell(const Races *r, u32 a)
{
	const Access *x = access_at(r, a);
	const Set *s = pta_pts(r->pta, x->inst, ins_arg(r->ir, ir_ins(r->ir, x->ins), 0));

	return set_single(s) && !pta_slot(r->pta, set_first(s))->stride &&
	       threads_single(r->conc->threads, pta_slot(r->pta, set_first(s))->obj);
}

/* Is something set behind access a that the point waits for? */
static bool
set_behind(Reasons *rs, u32 a, Point spin)
{
	const Facts *f = events_behind(rs, a);

	FRAMES_FOR (i, f->tell)
		if (meet(rs->r, &events_at(rs, f->frame[i], false)->sets,
			 &(Points){.at = &spin, .n = 1}, ANY_WAIT))
			return true;
	return false;
}

/* Is the cell of access a what is waited for before b?  What a loop's end depends on that nobody
 * sets is no flag: the length of what it walks through. */
static bool
is_flag(Reasons *rs, u32 a, u32 b)
{
	const Facts *g = events_before(rs, b);
	Point at = {access_at(rs->r, a)->inst, access_at(rs->r, a)->ins};

	FRAMES_FOR (i, g->wait) {
		const Points *spins = &events_at(rs, g->frame[i], true)->spins;
		for (u32 k = 0; k < spins->n; k++)
			if (reason_same_cell(rs->r, spins->at[k], at) &&
			    set_behind(rs, a, spins->at[k]))
				return true;
	}
	return false;
}

/* Does b wait for something of which there is one for each time that it was told of? */
static bool
is_counted(Reasons *rs, u32 b)
{
	const Facts *g = facts_of(rs, b);

	for (u32 i = 0; i < g->nframe; i++) {
		const Points *awaits = &events_at(rs, g->frame[i], true)->awaits;
		for (u32 k = 0; k < awaits->n; k++) {
			u8 kind = ir_ins(rs->r->ir, awaits->at[k].ins)->sub;
			if (kind == EVENT_SEM || kind == EVENT_FUTURE)
				return true;
		}
	}
	return false;
}

/* Has the thread told, before access a, of the same as behind it, and not waited since for what b
 * tells of?  Then b may have been let through by that. */
static bool
told_early(Reasons *rs, u32 a, u32 b)
{
	const Facts *f = facts_of(rs, a), *g = facts_of(rs, b);

	for (u32 i = 0; i < f->nframe; i++) {
		const Events *e = events_at(rs, f->frame[i], true);
		if (told(rs, b, e))
			return false;
		for (u32 k = 0; e->early.n && k < g->nframe; k++)
			if (meet(rs->r, &e->early, &events_at(rs, g->frame[k], true)->awaits,
				 ANY_WAIT))
				return true;
	}
	return false;
}

/* Do both touch one cell, the flag itself or one that semaphores or messages hand over, and may a do so
 * again, behind what it told of, without having waited for what b tells of?  A queue's producer
 * goes on while its consumer still looks at the count: what b counts on may be enough for a to go on
 * without another word of b. */
static bool
runs_on(Reasons *rs, u32 a, u32 b)
{
	const Races *r = rs->r;
	const Facts *f = facts_of(rs, a);
	/* Who frees it with the last count has waited for all of them. */
	bool flag = !(access_at(r, b)->flags & ACC_FREE) && is_flag(rs, a, b);
	bool counted = flag && updates(r, access_at(r, b));

	if (!of_one_cell(r, a) || !of_one_cell(r, b) || !(flag || is_counted(rs, b)))
		return false;
	for (u32 i = 0; i < f->nframe; i++) {
		Frame at = rs->frames.at[f->frame[i]].at;

		if (walk_cyclic(r->walk, inst_fn(r, at.inst),
				walk_block(r->walk, inst_fn(r, at.inst), at.ins)) &&
		    (counted || reason_unawaited(rs, (Point){at.inst, at.ins}, b, at.ins, false)))
			return true;
		if (told(rs, b, events_at(rs, f->frame[i], true)))
			return false;
	}
	return told_early(rs, a, b);
}

/* Is what the call tells waited for before b? */
static bool
call_told(Reasons *rs, Point call, u32 b)
{
	const Facts *g = events_before(rs, b);
	const Events *e;
	u32 n;
	const Edge *to = pta_targets(rs->r->pta, call.inst, call.ins, &n);

	if (n != 1 || to->fork)
		return false;
	e = events_told(rs, to->to);
	FRAMES_FOR (k, g->wait) {
		const Events *w = events_at(rs, g->frame[k], true);
		if (meet(rs->r, &e->sets, &w->spins, ANY_WAIT) ||
		    meet(rs->r, &e->signals, &w->awaits, ANY_WAIT))
			return true;
	}
	return false;
}

/* Is a pointer into what the frame's instruction is about passed by the call? */
static bool
passes_same(const Ir *ir, const Fn *f, const Ins *call, const Ins *at)
{
	u32 n = at->op == OP_CALL ? at->narg : MIN(at->narg, 1u);

	for (u32 i = 1; i < call->narg; i++)
		for (u32 k = at->op == OP_CALL; k < n; k++) {
			Val v = root_of(ir, f, ins_arg(ir, at, k));
			if (val_is_reg(v) && v == root_of(ir, f, ins_arg(ir, call, i)))
				return true;
		}
	return false;
}

/* Has access a's thread handed o over before, by a call that lets b through, and not waited since
 * for what b tells of?  Then what it tells behind a comes too late, and what b tells may be later
 * still. */
static bool
handed_early(Reasons *rs, u32 a, u32 b, ObjId o)
{
	const Races *r = rs->r;
	const Facts *f = facts_of(rs, a);
	bool one = threads_single(r->conc->threads, o);

	for (u32 i = 0; i < f->nframe; i++) {
		const Frame *at = frame_of(rs, f, i);
		FnId fn = inst_fn(r, at->inst);
		const Fn *in = &r->ir->fns.at[fn];

		for (InsId id = in->ins; in->nblock <= SMALL && id < in->ins + in->nins; id++) {
			const Ins *call = ir_ins(r->ir, id);
			if (call->op == OP_CALL && walk_dominates(r->walk, fn, id, at->ins) &&
			    (one || passes_same(r->ir, in, call, ir_ins(r->ir, at->ins))) &&
			    reason_publishes(rs, at->inst, id, o) &&
			    call_told(rs, (Point){at->inst, id}, b) &&
			    reason_unawaited(rs, (Point){at->inst, id}, b, at->ins, false))
				return true;
		}
	}
	return false;
}

/* Is it a constant or, if that is asked for, an object that was made for it? */
static bool
is_sign(const Races *r, InstId inst, Val v, bool made)
{
	InsId id;
	const Ins *def =
	    val_is_const(v) || !made ? NULL : def_of(r->ir, pta_fn(r->pta, inst), v, &id);

	return val_is_const(v) || (def && def->op == OP_ALLOC);
}

/* Does thread t, or its creator, store a sign to what the load reads? */
static bool
sets_flag(const Races *r, ThreadId t, Point load, bool made)
{
	ThreadId parent = thread_get(r->conc->threads, t)->parent;

	for (u32 k = 0; k < r->conc->accesses.n; k++) {
		const Access *a = access_at(r, k);
		const Ins *i = ir_ins(r->ir, a->ins);

		if (i->op == OP_STORE && (a->thread == t || a->thread == parent) &&
		    is_sign(r, a->inst, ins_arg(r->ir, i, 1), made) &&
		    reason_same_cell(r, (Point){a->inst, a->ins}, load))
			return true;
	}
	return false;
}

/* A test for one value: an (in)equality, or a truth value. */
static bool
is_flag_test(const Ir *ir, const Fn *f, Val v)
{
	InsId id;
	const Ins *i = def_of(ir, f, v, &id);

	return i && (i->op != OP_CMP || i->sub == CMP_EQ || i->sub == CMP_NE);
}

/* Is the k-th way out of a branch on v taken where a pointer that it tests is null? */
static bool
is_null_way(const Ir *ir, const Fn *f, Val v, u32 k)
{
	InsId id;
	const Ins *i = def_of(ir, f, v, &id);

	return i && i->op == OP_CMP && val_is_const(ins_arg(ir, i, 1)) &&
	       ir_const(ir, ins_arg(ir, i, 1))->kind == CONST_NULL &&
	       i->sub == (k ? CMP_NE : CMP_EQ);
}

/* The first block of the only way out of a branch on such a flag by which `at` is reached,
 * which comes to the fork of t; 0 none. */
static BlockId
guard_of(const Races *r, ThreadId t, Point at)
{
	FnId fn = inst_fn(r, at.inst);
	const Fn *f = &r->ir->fns.at[fn];
	BlockId to = walk_block(r->walk, fn, at.ins);

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		InsId branch = bl->ins + bl->nins - 1, loads[SLICE_LOADS];
		const Ins *i = ir_ins(r->ir, branch);
		u32 n = 0, ways = 0;
		BlockId first = 0;
		bool null = false;

		if (i->op != OP_CBR || !walk_dominates(r->walk, fn, branch, at.ins) ||
		    !is_flag_test(r->ir, f, ins_arg(r->ir, i, 0)))
			continue;
		for (u32 k = 0; k < bl->nsucc; k++) {
			BlockId s = r->ir->succs.at[bl->succ + k];

			if (!walk_block_dominates(r->walk, fn, s, to))
				continue;
			ways++;
			first = s;
			null = is_null_way(r->ir, f, ins_arg(r->ir, i, 0), k);
		}
		n = reason_slice(r->ir, f, ins_arg(r->ir, i, 0), loads);
		for (u32 k = 0; ways == 1 && k < n; k++)
			if (sets_flag(r, t, (Point){at.inst, loads[k]}, null))
				return first;
	}
	return 0;
}

/* pta_made_for, asked once. */
static const Edge *
made_for(Reasons *rs, InstId inst)
{
	const Pta *p = rs->r->pta;
	u32 *known = map_at(rs->r->arena, &rs->made_for, inst);

	if (!*known) {
		const Edge *e = pta_made_for(p, inst);
		*known = e ? 2 + (u32)(e - p->edges.at) : 1;
	}
	return *known > 1 ? &p->edges.at[*known - 2] : NULL;
}

u32
reason_starts(Reasons *rs, ThreadId t, Point out[STARTS])
{
	const Thread *th = thread_get(rs->r->conc->threads, t);
	Point at = {th->fork_inst, th->fork};
	const Edge *e;
	u32 n = 0;

	while (at.ins && n < STARTS) {
		out[n++] = at;
		e = made_for(rs, at.inst);
		at = e && !e->fork ? (Point){e->from, e->ins} : (Point){0};
	}
	return n;
}

/* guard_of, asked once. */
static BlockId
guard_at(Reasons *rs, ThreadId t, Point at)
{
	u32 *known = map_at(rs->r->arena, &rs->fork_guards, map_pair(t, at.ins));

	if (!*known)
		*known = 1 + guard_of(rs->r, t, at);
	return *known - 1;
}

/* Is one of the first n points on the way to the fork behind such a test, or behind a wait for
 * the last such thread, each time? */
static bool
fork_guarded(Reasons *rs, ThreadId t, u32 n)
{
	const Races *r = rs->r;
	Point start[STARTS];
	u32 all = reason_starts(rs, t, start);

	for (u32 k = 0; k < MIN(n, all); k++) {
		FnId fn = inst_fn(r, start[k].inst);
		BlockId guard = guard_at(rs, t, start[k]);
		InsId settled = reason_settled(rs, t, start[k]);
		if (guard && !reason_repeats(r, start[k], guard))
			return true;
		if (settled && !reason_repeats(r, start[k], walk_block(r->walk, fn, settled)))
			return true;
		if (reason_repeats(r, start[k], 0))
			return false;
	}
	return false;
}

bool
reason_one_at_a_time(Reasons *rs, ThreadId t)
{
	return fork_guarded(rs, t, STARTS);
}

/* Does the creator of t come by access a, behind such a test or wait, only on its way to the
 * fork? */
static bool
prepares(Reasons *rs, u32 a, ThreadId t)
{
	const Races *r = rs->r;
	const Facts *f = facts_of(rs, a);
	Point start[STARTS];
	u32 n;

	if (access_at(r, a)->thread != thread_get(r->conc->threads, t)->parent)
		return false;
	n = reason_starts(rs, t, start);
	for (u32 k = 0; k < n; k++)
		for (u32 i = 0; i < f->nframe; i++) {
			const Frame *at = frame_of(rs, f, i);
			FnId fn = inst_fn(r, at->inst);
			BlockId first;
			InsId waited;

			if (at->inst != start[k].inst ||
			    !walk_dominates(r->walk, fn, at->ins, start[k].ins))
				continue;
			first = guard_at(rs, t, start[k]);
			if (first && walk_block_dominates(r->walk, fn, first,
							  walk_block(r->walk, fn, at->ins)))
				return true;
			waited = reason_settled(rs, t, start[k]);
			if (waited && walk_dominates(r->walk, fn, waited, at->ins))
				return true;
		}
	return false;
}

/* Two instances of one thread, or what one fork makes in two contexts. */
static bool
same_fork(const Races *r, ThreadId t, ThreadId u)
{
	const Thread *x = thread_get(r->conc->threads, t), *y = thread_get(r->conc->threads, u);

	return t == u || (x->fork == y->fork && inst_fn(r, x->start) == inst_fn(r, y->start));
}

bool
reason_non_parallel(Reasons *rs, u32 a, u32 b, ObjId o)
{
	ThreadId t = access_at(rs->r, a)->thread, u = access_at(rs->r, b)->thread;

	u32 there = before(rs, a, b), back = before(rs, b, a);

	/* Who waits for a semaphore of one, and posts it behind, keeps the others out. */
	if (((there && back && before(rs, a, a)) || (there > 1 && !runs_on(rs, a, b)) ||
	     (back > 1 && !runs_on(rs, b, a)) || fork_awaited(rs, a, b) ||
	     fork_awaited(rs, b, a)) &&
	    !handed_early(rs, a, b, o) && !handed_early(rs, b, a, o) && !reason_sent(rs, a, b, o) &&
	    !reason_sent(rs, b, a, o))
		return true;
	if (both_last(rs, a, b) || handshake(rs, a, b) || reason_joined(rs, a, b, o) ||
	    reason_joined(rs, b, a, o) || reason_behind_main(rs, a, b) ||
	    reason_behind_main(rs, b, a) || prepares(rs, a, u) || prepares(rs, b, t) ||
	    reason_in_turn(rs, a, b, o))
		return true;
	/* Calls of a wrapper that are guarded alike still make two threads. */
	return same_fork(rs->r, t, u) && fork_guarded(rs, t, t == u ? STARTS : 1);
}

/* flag.c - see flag.h.
 *
 * Thread by thread, with what the others do as interference: for each flag and
 * point the set of values it may have then, each with whether this thread was
 * the last to change it.  A write of another thread takes a state to another
 * where the two may run at once, no lock keeps them apart, and what is known
 * at the write, of this flag and of the others, allows that state; the result is
 * closed under such writes at every point.  So a set says what holds until this thread itself writes, and
 * by induction over a run it always does: a write that could make it false is
 * itself at a point whose set, true by then, does not allow it.
 *
 * Two points with sets that have nothing in common exclude each other: another
 * value, or both being the last to have changed it.  Their accesses are also
 * ordered.  The first set stays true until its own thread changes the flag,
 * behind the access.  The other thread, or whoever wrote last before it did,
 * can have come to its set only by loads that find a change made since, and a
 * load tells something only where it comes after the write that it reads from
 * (flag_flow.c); by induction along these writes the second access comes
 * after the first.  Where it was another flag that kept the change from being
 * made, the first thread has changed that one in between, and who made the change
 * has found so, by the same argument.
 *
 * Sets of a finite number of states only grow, in blocks, at calls, at returns
 * and at writes, so this ends.  Functions are told apart by instance and thread;
 * programs of more than MAX_ENTRIES entries are left out, with more threads
 * than are named apart too, and those that are not settled after so much work
 * (MAX_WORK writes looked at): what is known half-way is not yet true. */
#include "conc/flag_int.h"

#include "conc/access.h"

#include <string.h>

enum { MAX_ENTRIES = 3000, MAX_ROUNDS = 100, MAX_DISTINCT = 48, MAX_WORK = 3000000 };

FlagFrame *
flag_frame(Flags *f, ThreadId t, InstId inst)
{
	u32 *at = map_at(f->arena, &f->frame_of, map_pair(t, inst));

	if (!*at) {
		*at = f->frames.n;
		vec_push(f->arena, &f->frames, (FlagFrame){0});
	}
	return &f->frames.at[*at];
}

/* ---- calls ------------------------------------------------------------------------ */

/* The same as a new thread sees it: others changed it last. */
static FlagState
of_child(const Flags *f, FlagState s)
{
	state_collapse(f, &s);
	s.still = 0;
	for (u32 k = 0; s.nrow && k < f->n; k++) {
		Known mine = s.k[0][k] & 0xaaaa;
		s.k[0][k] = (Known)((s.k[0][k] & 0x5555) | mine >> 1);
	}
	return s;
}

static void
enter(Flags *f, ThreadId t, InstId inst, FlagState s)
{
	s.obs = 0;
	if (!s.cell)
		state_collapse(f, &s);
	f->changed |= state_join(f, &flag_frame(f, t, inst)->in, &s);
}

/* The argument of a call of one function that only checks it; 0: it is none. */
static Val
checked_by(Flags *f, const Ins *ins, InstId to)
{
	FnId fn = pta_inst(f->p, to)->fn;
	u32 *known = map_at(f->arena, &f->checks, fn);

	if (!*known)
		*known = 1 + flag_checked(f->ir, &f->ir->fns.at[fn]);
	return ins->op == OP_CALL && ins->sub == CALL_PLAIN && *known > 1 && *known - 1 < ins->narg
		   ? ins_arg(f->ir, ins, *known - 1)
		   : 0;
}

/* What the instruction goes on only with, if it is not 0; 0: it is no assumption. */
static Val
assumed_by(Flags *f, InstId inst, InsId id)
{
	const Ins *ins = ir_ins(f->ir, id);
	const Edge *e;
	u32 n;

	if (ins->op == OP_ASSUME)
		return ins_arg(f->ir, ins, 0);
	if (ins->op != OP_CALL)
		return 0;
	e = pta_targets(f->p, inst, id, &n);
	return n == 1 && !e->fork ? checked_by(f, ins, e->to) : 0;
}

/* What is known where inst returns, which was called in state s. */
static FlagState
state_behind(Flags *f, ThreadId t, InstId inst, const FlagState *s)
{
	FlagState back;

	if (s->cell || !flag_quiet(f, inst))
		return flag_frame(f, t, inst)->out;
	back = *s;
	back.obs = 0;
	back.still = 0;
	return back;
}

/* A call, or whatever else has edges; false: it calls nothing in this thread.  Adds what an
 * exception that leaves it finds. */
static bool
step_call(Flags *f, FlagState *s, const FlagPoint *at, const Edge *e, u32 n, FlagState *thrown)
{
	const Ins *ins = ir_ins(f->ir, at->ins);
	FlagState out = {0};
	ThreadId t = at->entry->thread;
	bool calls = false;
	bool maybe = ins->op != OP_CALL || ins->sub == CALL_REPEAT || ins->sub == CALL_MAYBE;
	Val checked = assumed_by(f, at->entry->inst, at->ins);

	if (checked) {
		flag_assume(f, s, at->entry->inst, checked);
		return true;
	}
	for (u32 i = 0; i < n; i++) {
		FlagState back;
		if (e[i].fork) {
			ThreadId child = threads_child(f->t, t, at->entry->inst, at->ins, e[i].to);
			if (child)
				enter(f, child, e[i].to, of_child(f, *s));
			continue;
		}
		calls = true;
		enter(f, t, e[i].to, *s);
		back = state_behind(f, t, e[i].to, s);
		if (ins->op != OP_CALL || ins->sub == CALL_REPEAT)
			enter(f, t, e[i].to, back);
		if (back.obs == OBS_RESULT)
			back.obs = maybe ? 0 : ins->dst;
		if (!back.obs && !back.cell)
			state_collapse(f, &back);
		state_join(f, &out, &back);
		state_join(f, thrown, &flag_frame(f, t, e[i].to)->thrown);
	}
	if (!calls)
		return false;
	if (maybe)
		state_join(f, &out, s);
	*s = out;
	return true;
}

/* ---- blocks ------------------------------------------------------------------------ */

/* The rows for which the terminator goes to its k-th successor. */
static FlagState
taken(const Flags *f, const FlagState *s, InstId inst, const Ins *end, u32 k)
{
	FlagState out = *s;
	u32 n = 0;

	if (end->op != OP_CBR && end->op != OP_SWITCH)
		return out;
	for (u32 r = 0; r < s->nrow; r++) {
		i64 v, c = 0;
		bool goes = true;
		if (flag_number(f, inst, ins_arg(f->ir, end, 0), s->obs, s->val[r], &v)) {
			u32 to = end->op == OP_CBR ? !v : 0;
			for (u32 i = 1; end->op == OP_SWITCH && i < end->narg && !to; i++)
				if (flag_number(f, inst, ins_arg(f->ir, end, i), 0, 0, &c) &&
				    c == v)
					to = i;
			goes = to == k;
		}
		if (!goes)
			continue;
		out.val[n] = s->val[r];
		memcpy(out.k[n++], s->k[r], sizeof s->k[r]);
	}
	out.nrow = n;
	return out;
}

/* Is v what the block's end depends on, a few steps away? */
static bool
decides(const Flags *f, const Fn *fn, Val v, Val cond, u32 depth)
{
	InsId def;

	if (cond == v)
		return true;
	def = val_is_reg(cond) ? fn_reg(f->ir, fn, cond)->def : 0;
	if (!def || !depth)
		return false;
	switch (ir_ins(f->ir, def)->op) {
	case OP_CMP:
	case OP_BIN:
	case OP_CAST:
	case OP_COPY: break;
	default: return false;
	}
	for (u32 k = 0; k < ir_ins(f->ir, def)->narg; k++)
		if (decides(f, fn, v, ins_arg(f->ir, ir_ins(f->ir, def), k), depth - 1))
			return true;
	return false;
}

static bool matters(Flags *f, InstId inst, BlockId b, Val v, u32 depth);

/* Is v handed to a phi behind block b that matters there? */
static bool
matters_behind(Flags *f, InstId inst, BlockId b, Val v, u32 depth)
{
	const Fn *fn = pta_fn(f->p, inst);
	const Block *from = fn_block(f->ir, fn, b);
	BlockId to = from->nsucc == 1 ? f->ir->succs.at[from->succ] : 0;
	const Block *bl = to ? fn_block(f->ir, fn, to) : NULL;

	for (u32 i = 0; bl && i < bl->nins && ir_ins(f->ir, bl->ins + i)->op == OP_PHI; i++) {
		const Ins *phi = ir_ins(f->ir, bl->ins + i);
		for (u32 k = 0; k + 1 < phi->narg; k += 2)
			if (ins_arg(f->ir, phi, k) == b && ins_arg(f->ir, phi, k + 1) == v &&
			    matters(f, inst, to, phi->dst, depth - 1))
				return true;
	}
	return false;
}

/* Does the block's end, its return, or what it assumes depend on v? */
static bool
matters(Flags *f, InstId inst, BlockId b, Val v, u32 depth)
{
	const Fn *fn = pta_fn(f->p, inst);
	const Block *bl = fn_block(f->ir, fn, b);
	const Ins *end = ir_ins(f->ir, bl->ins + bl->nins - 1);

	if (end->narg && decides(f, fn, v, ins_arg(f->ir, end, 0), 4))
		return true;
	for (InsId i = bl->ins; i < bl->ins + bl->nins; i++) {
		Val x = assumed_by(f, inst, i);
		if (x && decides(f, fn, v, x, 4))
			return true;
	}
	return depth && matters_behind(f, inst, b, v, depth);
}

/* Goes on by the value of a phi, if that is known on this way and matters. */
static void
pass_phis(Flags *f, FlagState *s, InstId inst, BlockId from, BlockId to)
{
	const Fn *fn = pta_fn(f->p, inst);
	const Block *b = fn_block(f->ir, fn, to);

	for (u32 i = 0; i < b->nins && ir_ins(f->ir, b->ins + i)->op == OP_PHI; i++) {
		const Ins *phi = ir_ins(f->ir, b->ins + i);
		if (!matters(f, inst, to, phi->dst, 2))
			continue;
		for (u32 k = 0; k + 1 < phi->narg; k += 2)
			if (ins_arg(f->ir, phi, k) == from &&
			    state_observe(f, s, inst, ins_arg(f->ir, phi, k + 1), phi->dst, 0))
				return;
	}
	for (u32 i = 0; i < b->nins && ir_ins(f->ir, b->ins + i)->op == OP_PHI; i++)
		state_forget(f, s, ir_ins(f->ir, b->ins + i)->dst);
}

static bool
flow_on(Flags *f, FlagState *blocks, const Entry *en, BlockId b, const FlagState *s)
{
	const Block *block = fn_block(f->ir, pta_fn(f->p, en->inst), b);
	const Ins *end = ir_ins(f->ir, block->ins + block->nins - 1);
	bool again = false;

	for (u32 k = 0; k < block->nsucc; k++) {
		BlockId to = f->ir->succs.at[block->succ + k];
		FlagState next = taken(f, s, en->inst, end, k);
		pass_phis(f, &next, en->inst, b, to);
		again |= state_join(f, &blocks[to], &next);
	}
	if (end->op == OP_RET) {
		FlagState out = *s;
		SlotId cell = s->cell;
		if (!end->narg ||
		    !state_observe(f, &out, en->inst, ins_arg(f->ir, end, 0), OBS_RESULT, 0)) {
			out.obs = 0;
			if (!cell)
				state_collapse(f, &out);
		}
		f->changed |= state_join(f, &flag_frame(f, en->thread, en->inst)->out, &out);
	}
	return again;
}

static void
record(Flags *f, const FlagState *s, const FlagPoint *at)
{
	u32 key[] = {at->entry->thread, at->entry->inst, at->ins};
	Touch touch[2];
	u32 *known;

	if (!access_touches(f->ir, at->ins, touch))
		return;
	known = map_at(f->arena, &f->known_of, hash_bytes(key, sizeof key));
	if (!*known) {
		*known = f->known.n + 1;
		memset(vec_extend(f->arena, &f->known, f->n), 0, f->n * sizeof(Known));
	}
	for (u32 r = 0; r < s->nrow; r++)
		for (u32 k = 0; k < f->n; k++)
			f->known.at[*known - 1 + k] |= s->k[r][k];
}

/* May the instruction change what is known, what is held, or who runs? */
static bool
acts(const Ins *ins)
{
	switch (ins->op) {
	case OP_COPY:
	case OP_PHI:
	case OP_SELECT:
	case OP_FIELD:
	case OP_INDEX:
	case OP_CMP:
	case OP_BIN:
	case OP_CAST:
	case OP_NONDET: return false;
	default: return true;
	}
}

/* An exception leaves the block in state s: to its handler, or out of the function. */
static bool
raise_to(Flags *f, FlagState *blocks, const Entry *en, const Block *block, FlagState s)
{
	s.obs = 0;
	if (!s.cell)
		state_collapse(f, &s);
	if (block->exc)
		return state_join(f, &blocks[block->exc], &s);
	f->changed |= state_join(f, &flag_frame(f, en->thread, en->inst)->thrown, &s);
	return false;
}

/* What keeps others from writing.  Who waits for a condition has given back the lock, though it is
 * held again, and so held to whoever asks for accesses, when that is over. */
static LocksetId
held_at(Flags *f, const Point *pt)
{
	const Ins *ins = ir_ins(f->ir, pt->ins);

	return ins->op == OP_AWAIT && ins->sub == EVENT_COND ? 0 : entries_held(f->e, pt);
}

static bool
walk_block(Flags *f, FlagState *blocks, const Entry *en, BlockId b)
{
	const Block *block = fn_block(f->ir, pta_fn(f->p, en->inst), b);
	FlagState s = blocks[b];
	Point pt = {en, block->ins, order_block(f->e->order, en->thread, en->inst, en->order, b),
		    0};
	bool again = false, fresh = true;
	LocksetId held = 0;

	for (u32 i = 0; i < block->nins && s.nrow && pt.order; i++) {
		FlagPoint at = {en, block->ins + i, pt.order, 0};
		FlagState thrown = {0};
		const Edge *e;
		u32 n;
		pt.ins = at.ins;
		if (!i || acts(ir_ins(f->ir, at.ins - 1))) {
			held = held_at(f, &pt);
			fresh = true;
		}
		at.held = held;
		f->work += 1 + (fresh ? f->writes.n : 0);
		if (fresh)
			flag_interfere(f, &s, &at);
		fresh = false;
		if (f->recording)
			record(f, &s, &at);
		if (block->exc || ins_may_throw(ir_ins(f->ir, at.ins)))
			thrown = s;
		e = pta_targets(f->p, en->inst, at.ins, &n);
		if (!n || !step_call(f, &s, &at, e, n, &thrown))
			flag_step(f, &s, &at);
		if (thrown.nrow)
			again |= raise_to(f, blocks, en, block, thrown);
		if (order_moves(f->e->order, en->inst))
			pt.order = order_step(f->e->order, en->thread, en->inst, at.ins, pt.order);
	}
	if (s.nrow && pt.order)
		again |= flow_on(f, blocks, en, b, &s);
	return again;
}

static bool
exhausted(const Flags *f)
{
	return !f->recording && (f->work > MAX_WORK || arena_exceeded(f->arena));
}

static void
walk_entry(Flags *f, u32 i)
{
	const Entry en = f->e->at.at[i];
	const Flow *flow = flow_of(f->e->t->flows, pta_inst(f->p, en.inst)->fn);
	FlagState in = flag_frame(f, en.thread, en.inst)->in;
	bool again = true;

	if (!in.nrow)
		return;
	if (!f->blocks[i])
		f->blocks[i] = arena_array(f->arena, FlagState, pta_fn(f->p, en.inst)->nblock + 1);
	state_join(f, &f->blocks[i][1], &in);
	while (again && !exhausted(f)) {
		again = false;
		for (u32 k = 0; k < flow->nrpo; k++)
			if (f->blocks[i][flow->rpo[k]].nrow)
				again |= walk_block(f, f->blocks[i], &en, flow->rpo[k]);
	}
}

/* ---- the whole program ---------------------------------------------------------------- */

/* The instances that can come back to themselves: a cell of their stack is not one. */
static void
find_recursive(Flags *f)
{
	u32 n = f->p->edges.n;
	Arc *arcs = arena_array(f->arena, Arc, n + 1);
	Graph g;
	Sccs s;

	for (u32 i = 0; i < n; i++) {
		const Edge *e = &f->p->edges.at[i];
		arcs[i] = e->fork ? (Arc){0, 0} : (Arc){e->from, e->to};
	}
	graph_build(&g, f->arena, f->p->insts.n, arcs, n);
	graph_sccs(&s, f->arena, &g);
	for (InstId i = 1; i < f->p->insts.n; i++) {
		bool self = s.first[s.of[i] + 1] - s.first[s.of[i]] > 1;
		GRAPH_FOR (to, &g, i)
			self |= *to == i;
		if (self)
			set_add(f->arena, &f->recursive, i);
	}
}

/* Lets every entry see what all others may do, until nothing changes. */
static bool
settle(Flags *f)
{
	FlagState start = {.nrow = 1};

	for (u32 k = 0; k < f->n; k++)
		start.k[0][k] = f->at[k].start;
	enter(f, 1, thread_get(f->t, 1)->start, start);
	f->changed = true;
	for (u32 round = 0; f->changed; round++) {
		if (round == MAX_ROUNDS)
			return false;
		f->changed = false;
		for (u32 i = 1; i < f->e->at.n; i++)
			if (!f->e->at.at[i].dead && !exhausted(f))
				walk_entry(f, i);
		if (exhausted(f))
			return false;
	}
	return true;
}

static void
find_distinct(Flags *f)
{
	for (u32 i = 0; i < f->known.n; i++) {
		u32 k = i % f->n, j = 0;
		while (j < f->distinct[k].n && f->distinct[k].at[j] != f->known.at[i])
			j++;
		if (j == f->distinct[k].n && j < MAX_DISTINCT)
			vec_push(f->arena, &f->distinct[k], f->known.at[i]);
	}
}

Flags *
flags_solve(Arena *a, Entries *e)
{
	Flags *f;

	if (entries_states(e) > MAX_ENTRIES || e->t->bounded || !e->complete)
		return NULL;
	f = arena_new(a, Flags);
	*f = (Flags){.arena = a, .e = e, .t = e->t, .p = e->t->pta, .ir = e->t->pta->ir};
	flags_find(f);
	if (!f->n)
		return NULL;
	find_recursive(f);
	vec_push(a, &f->frames, (FlagFrame){0});
	f->blocks = arena_array(a, FlagState *, e->at.n);
	if (!settle(f))
		return NULL;
	f->recording = true;
	for (u32 i = 1; i < e->at.n; i++)
		if (!e->at.at[i].dead)
			walk_entry(f, i);
	find_distinct(f);
	return f;
}

/* ---- facts ------------------------------------------------------------------------------ */

bool
flags_judge(const Flags *f, SlotId flag)
{
	u32 k = f ? map_get(&f->flag_of, flag) : 0;

	if (!k || f->at[k - 1].sem || f->at[k - 1].start >> 2 * ANY)
		return false;
	for (u32 i = 0; i < f->writes.n; i++)
		for (u32 s = 0; s < 2 * VALUES && f->writes.at[i].flag == k - 1; s++)
			if (f->writes.at[i].to[s] >> ANY)
				return false;
	return true;
}

static const Known *
known_at(const Flags *f, FlagAt x)
{
	u32 key[] = {x.thread, x.inst, x.ins};
	u32 at = map_get(&f->known_of, hash_bytes(key, sizeof key));

	return at ? &f->known.at[at - 1] : NULL;
}

bool
flags_apart(const Flags *f, FlagAt x, FlagAt y)
{
	const Known *a = f ? known_at(f, x) : NULL, *b = a ? known_at(f, y) : NULL;

	for (u32 k = 0; b && k < f->n; k++)
		if (!known_compatible(a[k], b[k]))
			return true;
	return false;
}

GuardId
flags_guard(Flags *f, ThreadId t, InstId inst, InsId ins, GuardId guard)
{
	const Known *known = known_at(f, (FlagAt){t, inst, ins});

	for (u32 k = 0; known && k < f->n; k++) {
		Known x = known[k];
		for (u32 i = 0; i < f->distinct[k].n; i++) {
			Known y = (Known)f->distinct[k].at[i];
			if (!known_compatible(x, y))
				guard =
				    locks_guard_flag(f->e->locks, inst, guard, f->at[k].slot, x, y);
		}
	}
	return guard;
}

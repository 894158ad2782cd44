/* phase.c - see phase.h.
 *
 * A barrier counts if it is one place of one object, made for n threads by one
 * instruction, and at most n threads ever wait at it: unique
 * ones, and those of loops that count from one constant to another and run
 * once; or, where n is not constant, of one loop that makes as many.  With fewer than n nobody ever passes; with n, each of them waits once
 * in every turn, so that the k-th wait of one is met by the k-th of all others.
 *
 * At each point of such a thread we keep how often it may have passed, modulo
 * TURN, as a set of bits: a wait rotates it, joining unites, and calls are
 * followed by instance and thread, also where an exception leaves them.  Sets only grow, so this ends.  Two points
 * of different threads whose sets are disjoint were passed different numbers
 * of times, k < l: the one comes before its (k + 1)-th wait, the other behind
 * it.  TURN is a multiple of the small numbers, so that loops which wait
 * two, three, four, five or six times a round keep their halves apart.
 *
 * A barrier that the program makes itself (meeting.c) is counted in the same
 * way, as if all who call it met; that is a presumption, and told apart. */
#include "conc/phase.h"

#include "conc/access.h"
#include "conc/conc.h"
#include "conc/entry.h"
#include "conc/meeting.h"
#include "ir/induction.h"

#include <string.h>

enum { TURN = 60, BARRIERS = 4, MAX_ENTRIES = 3000, MAX_SETS = 48 };

typedef struct PhaseFrame {  /* of an instance in a thread */
	u64 in, out, thrown; /* at its start, where it returns, where an exception leaves it */
	u64 *blocks;
} PhaseFrame;

typedef struct Barrier {
	SlotId slot; /* 0: there is one, of the function */
	FnId fn;     /* that waits, where the program makes the barrier itself; else 0 */
	Set threads; /* that wait at it */
	Set waiters; /* instances that wait at it, or call such */
	Map frame_of;
	Vec(PhaseFrame) frames; /* from 1 */
	Map at;                 /* hash of (thread, instance, instruction) -> index of sets + 1 */
	Vec(u64) sets;          /* at accesses, each once */
} Barrier;

struct Phases {
	Arena *arena;
	const Threads *t;
	const Pta *p;
	const Ir *ir;
	Locks *locks;
	Distinct *distinct;
	Set judged; /* slots of barriers of which all is known */
	u32 n, nown;
	Barrier at[BARRIERS], own[BARRIERS]; /* known, and presumed */
};

static bool
is_wait(const Ins *ins)
{
	return ins->op == OP_AWAIT && ins->sub == EVENT_BARRIER;
}

static bool
is_setup(const Ins *ins)
{
	return ins->op == OP_SIGNAL && ins->sub == EVENT_BARRIER && ins->narg > 1;
}

/* ---- which barriers count ------------------------------------------------------ */

static bool
number(const Ir *ir, Val v, i64 *out)
{
	if (!val_is_const(v) || ir_const(ir, v)->kind != CONST_INT)
		return false;
	*out = ir_const(ir, v)->num;
	return true;
}

/* Does the loop around the fork of t, if any, run once? */
static bool
made_once(const Phases *p, ThreadId t, Cfg *cfg, u32 *loop)
{
	const Thread *th = thread_get(p->t, t);

	if (th->folded || !th->parent || !thread_get(p->t, th->parent)->unique ||
	    set_has(&p->t->many[th->parent], th->fork_inst))
		return false;
	cfg_build(cfg, p->arena, p->ir, pta_fn(p->p, th->fork_inst));
	*loop = cfg->loop_of[cfg_block_of(p->ir, cfg->fn, th->fork)];
	return *loop && !cfg->loops[*loop].irreducible && !cfg->loops[*loop].parent;
}

/* How many threads t there can ever be; 0 unknown. */
static u64
instances(const Phases *p, ThreadId t)
{
	Cfg cfg;
	Counter c;
	i64 lo, hi;
	u32 loop;

	if (thread_get(p->t, t)->unique)
		return 1;
	if (!made_once(p, t, &cfg, &loop) || !loop_counter(&cfg, loop, &c) || c.iv.step != 1 ||
	    c.after_step || !number(p->ir, c.iv.init, &lo) || !number(p->ir, c.bound, &hi) ||
	    hi <= lo ||
	    (c.pred != CMP_SLT && c.pred != CMP_ULT && c.pred != CMP_SLE && c.pred != CMP_NE))
		return 0;
	return (u64)(hi - lo) + (c.pred == CMP_SLE);
}

/* Is it known whether the barrier is made, by that value in inst, for the threads of one loop
 * and unique ones?  Says so. */
static bool
made_for_loop(const Phases *p, const Barrier *b, InstId inst, Val size, bool *enough)
{
	ThreadId many = 0;
	i64 ones = 0, over = 0;
	Cfg cfg;
	u32 loop;

	SET_FOR (it, &b->threads) {
		if (thread_get(p->t, it.x)->unique)
			ones++;
		else if (many)
			return false;
		else
			many = it.x;
	}
	if (!many || !made_once(p, many, &cfg, &loop) ||
	    !distinct_left_over(p->distinct, many, inst, size, &over))
		return false;
	*enough = over >= ones;
	return true;
}

/* The one slot that the instruction is about, if it may be about b's at all;
 * *other: it may be about that and something else. */
static bool
about(const Phases *p, const Barrier *b, InstId inst, const Ins *ins, bool *other)
{
	const Set *pts = pta_pts(p->p, inst, ins_arg(p->ir, ins, 0));

	SET_FOR (it, pts)
		if (pta_slot(p->p, it.x)->obj == pta_slot(p->p, b->slot)->obj) {
			*other |= it.x != b->slot || set_count(pts) > 1;
			return true;
		}
	return false;
}

/* Finds who waits at b and for how many it was made; false: not certain. */
static bool
all_meet(Phases *p, Barrier *b)
{
	u32 setups = 0;
	bool other = false, enough = false;
	i64 size = 0;
	u64 n = 0;
	InstId maker = 0;
	Val by = 0;

	for (InstId i = 1; i < p->p->insts.n; i++) {
		const Fn *fn = pta_fn(p->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
			const Ins *ins = ir_ins(p->ir, id);
			if ((!is_setup(ins) && !is_wait(ins)) || !about(p, b, i, ins, &other))
				continue;
			if (is_setup(ins)) {
				setups++;
				maker = i;
				by = ins_arg(p->ir, ins, 1);
			}
			for (ThreadId t = 1; is_wait(ins) && t < p->t->at.n; t++)
				if (set_has(&p->t->insts[t], i))
					set_add(p->arena, &b->threads, t);
		}
	}
	if (other || setups != 1)
		return false;
	if (!number(p->ir, by, &size)) {
		if (!made_for_loop(p, b, maker, by, &enough))
			return false;
		set_add(p->arena, &p->judged, b->slot);
		return enough;
	}
	SET_FOR (it, &b->threads) {
		u64 more = instances(p, it.x);
		if (!more)
			return false;
		n += more;
	}
	if (size <= 0)
		return false;
	set_add(p->arena, &p->judged, b->slot);
	return n <= (u64)size;
}

static void
new_barrier(Phases *p, Barrier *b, SlotId slot)
{
	memset(b, 0, sizeof *b);
	b->slot = slot;
	vec_push(p->arena, &b->frames, (PhaseFrame){0});
	vec_push(p->arena, &b->sets, 0);
}

static void
add_barrier(Phases *p, InstId inst, const Ins *ins)
{
	const Set *pts = pta_pts(p->p, inst, ins_arg(p->ir, ins, 0));
	SlotId s = set_single(pts) ? set_first(pts) : 0;
	Barrier *b = &p->at[p->n];

	if (!s || p->n == BARRIERS || !pta_slot_exact(p->p, s) ||
	    !threads_single(p->t, pta_slot(p->p, s)->obj))
		return;
	new_barrier(p, b, s);
	p->n += all_meet(p, b);
}

/* The one place that the call's first argument is; 0 unknown. */
static SlotId
argument_slot(const Phases *p, InstId inst, const Ins *call)
{
	const Set *pts = call->narg > 1 ? pta_pts(p->p, inst, ins_arg(p->ir, call, 1)) : NULL;

	return pts && set_count(pts) == 1 && pta_slot_exact(p->p, set_first(pts)) ? set_first(pts)
										  : 0;
}

/* Is it a call of that function, for that barrier? */
static bool
calls_own(const Phases *p, FnId fn, SlotId slot, InstId inst, InsId id)
{
	u32 n;
	const Edge *e = pta_targets(p->p, inst, id, &n);

	return n == 1 && !e->fork && pta_inst(p->p, e->to)->fn == fn &&
	       ir_ins(p->ir, id)->op == OP_CALL &&
	       argument_slot(p, inst, ir_ins(p->ir, id)) == slot;
}

/* The barrier that the call waits at, where the program made it; null: not known. */
static Barrier *
own_barrier(Phases *p, FnId fn, InstId inst, const Ins *call)
{
	const Fn *f = &p->ir->fns.at[fn];
	SlotId slot = argument_slot(p, inst, call);
	Barrier *b = &p->own[p->nown];

	for (u32 k = 0; k < p->nown; k++)
		if (p->own[k].fn == fn && p->own[k].slot == slot)
			return &p->own[k];
	if (p->nown == BARRIERS || (!slot && f->nparam && fn_reg(p->ir, f, 1)->rt == RT_PTR))
		return NULL;
	new_barrier(p, b, slot);
	b->fn = fn;
	p->nown++;
	return b;
}

/* Finds the barriers that the program makes itself, and who waits at them. */
static void
find_own(Phases *p)
{
	u8 *is = arena_array(p->arena, u8, p->ir->fns.n); /* 1 not one, 2 one */

	for (u32 k = 0; k < p->p->edges.n; k++) {
		const Edge *e = &p->p->edges.at[k];
		FnId fn = pta_inst(p->p, e->to)->fn;
		Barrier *b;
		if (e->fork || ir_ins(p->ir, e->ins)->op != OP_CALL)
			continue;
		if (!is[fn])
			is[fn] = 1 + meeting_is(p->arena, p->ir, &p->ir->fns.at[fn]);
		b = is[fn] == 2 ? own_barrier(p, fn, e->from, ir_ins(p->ir, e->ins)) : NULL;
		for (ThreadId t = 1; b && t < p->t->at.n; t++)
			if (set_has(&p->t->insts[t], e->from))
				set_add(p->arena, &b->threads, t);
	}
}

/* ---- how often it was passed ----------------------------------------------------- */

static PhaseFrame *
frame(Phases *p, Barrier *b, ThreadId t, InstId inst)
{
	u32 *at = map_at(p->arena, &b->frame_of, map_pair(t, inst));

	if (!*at) {
		*at = b->frames.n;
		vec_push(p->arena, &b->frames, (PhaseFrame){0});
	}
	return &b->frames.at[*at];
}

static bool
grow(u64 *to, u64 more)
{
	bool news = (more & ~*to) != 0;

	*to |= more;
	return news;
}

/* One more time. */
static u64
rotate(u64 s)
{
	return (s << 1 | s >> (TURN - 1)) & (((u64)1 << TURN) - 1);
}

static void
note(Phases *p, Barrier *b, ThreadId t, InstId inst, InsId ins, u64 s)
{
	u32 key[] = {t, inst, ins};
	Touch touch[2];
	u32 k = 1;

	if (!access_touches(p->ir, ins, touch))
		return;
	while (k < b->sets.n && b->sets.at[k] != s)
		k++;
	if (k == MAX_SETS)
		return;
	if (k == b->sets.n)
		vec_push(p->arena, &b->sets, s);
	map_put(p->arena, &b->at, hash_bytes(key, sizeof key), k + 1);
}

/* Is the instruction a wait at b? */
static bool
waits_at(const Phases *p, const Barrier *b, InstId inst, InsId id)
{
	const Ins *ins = ir_ins(p->ir, id);
	bool other = false;

	return b->fn ? calls_own(p, b->fn, b->slot, inst, id)
		     : is_wait(ins) && about(p, b, inst, ins, &other);
}

/* Finds b's waiters; a call of anyone else leaves the count as it is, whoever else makes
 * that call and when. */
static void
find_waiters(Phases *p, Barrier *b)
{
	bool again = true;

	for (InstId i = 1; i < p->p->insts.n; i++) {
		const Fn *fn = pta_fn(p->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins && !set_has(&b->waiters, i); id++)
			if (waits_at(p, b, i, id))
				set_add(p->arena, &b->waiters, i);
	}
	while (again) {
		again = false;
		for (u32 k = 0; k < p->p->edges.n; k++) {
			const Edge *e = &p->p->edges.at[k];
			if (!e->fork && set_has(&b->waiters, e->to) &&
			    set_add(p->arena, &b->waiters, e->from))
				again = true;
		}
	}
}

/* What an instruction makes of s, and of what an exception that leaves it finds; calls lead
 * elsewhere. */
static u64
step(Phases *p, Barrier *b, ThreadId t, InstId inst, InsId id, u64 s, u64 *thrown, bool *again)
{
	const Ins *ins = ir_ins(p->ir, id);
	const Edge *e;
	u32 n, calls = 0;
	u64 out = 0;

	if (waits_at(p, b, inst, id)) /* for a while only: it may not have passed */
		return rotate(s) | (ins->flags & INS_TRY ? s : 0);
	e = pta_targets(p->p, inst, id, &n);
	for (u32 i = 0; i < n; i++) {
		if (e[i].fork)
			continue;
		calls++;
		*again |= grow(&frame(p, b, t, e[i].to)->in, s);
		out |= set_has(&b->waiters, e[i].to) ? frame(p, b, t, e[i].to)->out : s;
		*thrown |= frame(p, b, t, e[i].to)->thrown;
		if (ins->op != OP_CALL || ins->sub == CALL_REPEAT)
			*again |= grow(&frame(p, b, t, e[i].to)->in, out);
	}
	if (calls && ins->op == OP_CALL && ins->sub != CALL_REPEAT && ins->sub != CALL_MAYBE)
		return out;
	return s | out;
}

static bool
walk(Phases *p, Barrier *b, ThreadId t, InstId inst, bool noting)
{
	const Fn *fn = pta_fn(p->p, inst);
	const Flow *flow = flow_of(p->t->flows, pta_inst(p->p, inst)->fn);
	u64 *blocks = frame(p, b, t, inst)->blocks;
	bool again = false;

	if (!blocks)
		blocks = frame(p, b, t, inst)->blocks = arena_array(p->arena, u64, fn->nblock + 1);
	if (!fn->nblock)
		return grow(&frame(p, b, t, inst)->out, frame(p, b, t, inst)->in);
	again |= grow(&blocks[1], frame(p, b, t, inst)->in);
	for (u32 i = 0; i < flow->nrpo; i++) {
		const Block *bl = fn_block(p->ir, fn, flow->rpo[i]);
		u64 s = blocks[flow->rpo[i]];
		for (u32 k = 0; s && k < bl->nins; k++) {
			u64 up = bl->exc || ins_may_throw(ir_ins(p->ir, bl->ins + k)) ? s : 0;
			if (noting)
				note(p, b, t, inst, bl->ins + k, s);
			s = step(p, b, t, inst, bl->ins + k, s, &up, &again);
			again |=
			    grow(bl->exc ? &blocks[bl->exc] : &frame(p, b, t, inst)->thrown, up);
		}
		for (u32 k = 0; k < bl->nsucc; k++)
			again |= grow(&blocks[p->ir->succs.at[bl->succ + k]], s);
		if (ir_ins(p->ir, bl->ins + bl->nins - 1)->op == OP_RET)
			again |= grow(&frame(p, b, t, inst)->out, s);
	}
	return again;
}

static void
solve(Phases *p, Barrier *b)
{
	find_waiters(p, b);
	SET_FOR (th, &b->threads) {
		bool again = true;
		frame(p, b, th.x, thread_get(p->t, th.x)->start)->in = 1;
		while (again) {
			again = false;
			SET_FOR (it, &p->t->insts[th.x])
				again |= walk(p, b, th.x, it.x, false);
		}
		SET_FOR (it, &p->t->insts[th.x])
			walk(p, b, th.x, it.x, true);
	}
}

Phases *
phases_solve(Arena *a, Entries *e, Distinct *d)
{
	Phases *p;

	if (entries_states(e) > MAX_ENTRIES || e->t->bounded || !e->complete)
		return NULL;
	p = arena_new(a, Phases);
	*p = (Phases){.arena = a,
		      .t = e->t,
		      .p = e->t->pta,
		      .ir = e->t->pta->ir,
		      .locks = e->locks,
		      .distinct = d};
	for (InstId i = 1; i < p->p->insts.n; i++) {
		const Fn *fn = pta_fn(p->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++)
			if (is_setup(ir_ins(p->ir, id)))
				add_barrier(p, i, ir_ins(p->ir, id));
	}
	find_own(p);
	for (u32 k = 0; k < p->n; k++)
		solve(p, &p->at[k]);
	for (u32 k = 0; k < p->nown; k++)
		solve(p, &p->own[k]);
	return set_empty(&p->judged) && !p->nown ? NULL : p;
}

bool
phases_judge(const Phases *p, SlotId barrier)
{
	return p && set_has(&p->judged, barrier);
}

/* How often the barrier may have been passed at the access; 0 unknown. */
static u64
passed_at(const Barrier *b, ThreadId t, InstId inst, InsId ins)
{
	u32 key[] = {t, inst, ins};
	u32 at = map_get(&b->at, hash_bytes(key, sizeof key));

	return at ? b->sets.at[at - 1] : 0;
}

bool
phases_presume(const Phases *p, const struct Access *x, const struct Access *y)
{
	for (u32 k = 0; p && k < p->nown; k++) {
		u64 a = passed_at(&p->own[k], x->thread, x->inst, x->ins);
		u64 b = passed_at(&p->own[k], y->thread, y->inst, y->ins);
		if (a && b && !(a & b))
			return true;
	}
	return false;
}

GuardId
phases_guard(Phases *p, ThreadId t, InstId inst, InsId ins, GuardId guard)
{
	u32 key[] = {t, inst, ins};

	for (u32 k = 0; k < p->n; k++) {
		const Barrier *b = &p->at[k];
		u32 own = map_get(&b->at, hash_bytes(key, sizeof key));
		for (u32 i = 1; own && i < b->sets.n; i++)
			if (!(b->sets.at[own - 1] & b->sets.at[i]))
				guard =
				    locks_guard_flag(p->locks, inst, guard, b->slot, own - 1, i);
	}
	return guard;
}

/* reason_once.c - what is set up once, by whoever comes first.
 *
 *	init() { lock(m); if (!ready) { table = ...; ready = make(); } unlock(m); }
 *	...
 *	init(); use(table);
 *
 * A gate is a test of a variable, under a lock, by which one that is not set leads to a write; the variable
 * is only stored to under that lock, and never zero, nor a count.  Who has come through
 * the gate finds everything set up: it happened before, or it did so itself; and the others
 * that come later set up nothing.  So the write is ordered with whatever a thread does that has
 * come through before, as has one whose creator had.  Who looks at the variable first, and takes
 * the lock only if it must, has not: then this is no gate.
 *
 * A thread has come through if each way to where it is leads through the gate, or through a call of what can
 * come to it: what is used without having been set up at all is wrong without threads,
 * so a condition of that call is also one of the use.  That, and that the set-up sets the variable each time,
 * is not shown: this is a reason only.  A gate is found once for each write; what passes it are searches of the
 * functions that can reach it. */
#include "conc/access.h"
#include "conc/sign.h"
#include "race/reason_int.h"

enum {
	MAX_GATES = 64,   /* looked at in all */
	MAX_STORES = 32,  /* of a gate's variable */
	MAX_ABOVE = 2000, /* instances above one that are asked whether they have passed */
	DEPTH = 24        /* of calls that pass it */
};

typedef struct Once {
	FnId fn;
	InsId test; /* the load under the lock */
	SlotId slot;
	LocksetId held; /* by the write */
	Set reach;      /* instances that can come to it by calls */
	Map passes;     /* InstId -> 1 no, 2 each call does, 3 being asked */
	Map entered[2]; /* InstId -> 1 no, 2 whoever enters it has passed; [1]: probably */
	u8 closed; /* does nobody look at the variable before passing?  0 not asked, 1 no, 2 yes */
} Once;

typedef struct Onces {
	Vec(Once) at;
	Map gates; /* access -> index plus 2; 1 none */
	Map slots; /* (SlotId, lockset) -> 1 is set otherwise, 2 only under such locks */
} Onces;

/* ---- passing -------------------------------------------------------------------------- */

/* The acquisition, by a function that waits for the lock, whose result this is; null none. */
static const Ins *
acquired_by(const Ir *ir, const Fn *f, InsId id)
{
	const Ins *i = ir_ins(ir, id);

	for (InsId a = id; i->op == OP_NONDET && a >= f->ins && ir_ins(ir, a)->site == i->site; a--)
		if (ir_ins(ir, a)->op == OP_ACQUIRE)
			id = a;
	i = ir_ins(ir, id);
	return i->op == OP_ACQUIRE && !(i->flags & INS_TRY) ? i : NULL;
}

/* Does the edge say that a lock could not be taken?  A result that the model says nothing of is zero
 * if it was. */
static bool
lock_failed(const Ir *ir, const Fn *f, const Block *b, u32 succ)
{
	SignFact facts[SIGN_FACTS];
	u32 n = b->nsucc == 2 ? sign_edge(ir, f, b, succ, facts) : 0;

	for (u32 i = 0; i < n; i++) {
		InsId id = fn_reg(ir, f, facts[i].reg)->def;
		const Ins *def = id ? acquired_by(ir, f, id) : NULL;
		u32 taken = def && def->cond && def->cond != SIGN_ANY ? def->cond : SIGN_ZERO;
		if (def && !(taken & facts[i].mask))
			return true;
	}
	return false;
}

static bool passes(Reasons *rs, Once *g, InstId inst, u32 depth);

/* Does control that has come past the instruction come through the gate there? */
static bool
is_pass(Reasons *rs, Once *g, InstId inst, InsId id, u32 depth)
{
	const Races *r = rs->r;
	const Ins *i = ir_ins(r->ir, id);
	const Edge *e;
	u32 n, calls = 0;

	if (id == g->test)
		return true;
	if (i->op != OP_CALL || i->sub != CALL_PLAIN)
		return false;
	e = pta_targets(r->pta, inst, id, &n);
	for (u32 k = 0; k < n; k++)
		if (!e[k].fork && (calls++, !passes(rs, g, e[k].to, depth + 1)))
			return false;
	return calls > 0;
}

/* Is it a call of what can come to the gate? */
static bool
may_pass(const Races *r, const Once *g, InstId inst, InsId id)
{
	const Edge *e;
	u32 n;

	if (ir_ins(r->ir, id)->op != OP_CALL)
		return false;
	e = pta_targets(r->pta, inst, id, &n);
	for (u32 k = 0; k < n; k++)
		if (!e[k].fork && set_has(&g->reach, e[k].to))
			return true;
	return false;
}

/* Is the gate on every way from the start of inst to `to`, or to its returns if that is 0?  With `may` a call
 * of what can come to it will do. */
static bool
passed_before(Reasons *rs, Once *g, InstId inst, InsId to, bool may, u32 depth)
{
	const Ir *ir = rs->r->ir;
	FnId fn = inst_fn(rs->r, inst);
	const Fn *f = &ir->fns.at[fn];
	VecU32 todo = {0};
	Set seen = {0};
	bool sure = true;

	if (!set_has(&g->reach, inst) || !f->nblock)
		return false;
	vec_push(rs->r->arena, &todo, 1);
	set_add(rs->r->arena, &seen, 1);
	while (todo.n && sure) {
		const Block *b = fn_block(ir, f, todo.at[--todo.n]);
		bool through = false;
		for (InsId i = b->ins; i < b->ins + b->nins && !through && sure; i++) {
			sure = to ? i != to : ir_ins(ir, i)->op != OP_RET;
			through = sure && (is_pass(rs, g, inst, i, depth) ||
					   (may && may_pass(rs->r, g, inst, i)));
		}
		for (u32 k = 0; k <= b->nsucc && !through; k++) {
			BlockId next = k < b->nsucc ? ir->succs.at[b->succ + k] : b->exc;
			if (next && (k == b->nsucc || !lock_failed(ir, f, b, k)) &&
			    set_add(rs->r->arena, &seen, next))
				vec_push(rs->r->arena, &todo, next);
		}
	}
	set_recycle(rs->r->arena, &seen);
	arena_recycle(rs->r->arena, todo.at, todo.cap * sizeof *todo.at);
	return sure;
}

/* Does each call of inst that returns come through the gate? */
static bool
passes(Reasons *rs, Once *g, InstId inst, u32 depth)
{
	u32 known = map_get(&g->passes, inst);

	if (known)
		return known == 2;
	if (depth > DEPTH || !set_has(&g->reach, inst))
		return false;
	map_put(rs->r->arena, &g->passes, inst, 3);
	known = 1 + passed_before(rs, g, inst, 0, false, depth);
	map_put(rs->r->arena, &g->passes, inst, known);
	return known == 2;
}

/* Has whoever enters inst, or its thread's creator, come through the gate? */
static bool
entered_behind(Reasons *rs, Once *g, InstId inst, bool may)
{
	const Pta *p = rs->r->pta;
	u32 known = map_get(&g->entered[may], inst);
	VecU32 todo = {0};
	Set seen = {0};
	bool sure = true;

	if (known)
		return known == 2;
	vec_push(rs->r->arena, &todo, inst);
	set_add(rs->r->arena, &seen, inst);
	for (u32 done = 0; done < todo.n && sure; done++) {
		const Inst *in = pta_inst(p, todo.at[done]);
		sure = in->ncaller && todo.n <= MAX_ABOVE;
		for (u32 c = in->caller; c < in->caller + in->ncaller && sure; c++) {
			const Edge *e = &p->edges.at[p->callers.at[c]];
			if (!passed_before(rs, g, e->from, e->ins, may, 0) &&
			    set_add(rs->r->arena, &seen, e->from))
				vec_push(rs->r->arena, &todo, e->from);
		}
	}
	set_recycle(rs->r->arena, &seen);
	arena_recycle(rs->r->arena, todo.at, todo.cap * sizeof *todo.at);
	map_put(rs->r->arena, &g->entered[may], inst, 1 + sure);
	return sure;
}

/* Has the thread come through the gate before the access, on the way that is shown? */
static bool
comes_behind(Reasons *rs, Once *g, u32 access, bool may)
{
	const Facts *facts = facts_of(rs, access);
	const Frame *at = NULL;

	for (u32 k = 0; k < facts->nframe; k++) {
		at = frame_of(rs, facts, k);
		if (passed_before(rs, g, at->inst, at->ins, may, 0))
			return true;
	}
	return at && entered_behind(rs, g, at->inst, may);
}

/* ---- gates ---------------------------------------------------------------------------- */

/* Does the write leave the variable set? */
static bool
keeps_set(const Ir *ir, const Fn *f, const Ins *store)
{
	const Ins *made;
	InsId id;

	if (store->op != OP_STORE || sign_of(ir, ins_arg(ir, store, 1)) == SIGN_ZERO)
		return false;
	made = def_of(ir, f, ins_arg(ir, store, 1), &id);
	return !made || made->op != OP_BIN;
}

static bool
meets_slot(const Races *r, InstId inst, Val addr, u64 bytes, SlotId slot)
{
	SET_FOR (it, pta_pts(r->pta, inst, addr))
		if (pta_slot(r->pta, it.x)->obj == pta_slot(r->pta, slot)->obj &&
		    pta_overlap(r->pta, slot, r->ir->ptr_bytes, it.x, bytes))
			return true;
	return false;
}

/* Does the access hold a lock that excludes the holder of those, or lie behind an acquisition in its function?  Where
 * nobody else can be, locks are not listed. */
static bool
is_under(const Races *r, const Access *x, LocksetId held)
{
	const Fn *f = pta_fn(r->pta, x->inst);

	if (locks_apart(r->conc->locks, x->held, held))
		return true;
	for (InsId id = f->ins; !x->held && id < x->ins; id++)
		if (ir_ins(r->ir, id)->op == OP_ACQUIRE &&
		    walk_dominates(r->walk, inst_fn(r, x->inst), id, x->ins))
			return true;
	return false;
}

/* Do all writes to it that are not under such locks leave it alone?  Where only one thread has it, it
 * needs none. */
static bool
written_under(const Races *r, SlotId slot, LocksetId held)
{
	for (u32 k = 0; k < r->conc->accesses.n; k++) {
		const Access *x = access_at(r, k);
		if (x->flags & ACC_WRITE && meets_slot(r, x->inst, x->addr, x->size, slot) &&
		    !is_under(r, x, held))
			return false;
	}
	return true;
}

/* Is the variable stored to, by stores that leave it set, and under locks that exclude the
 * holder of those? */
static bool
set_under(const Races *r, SlotId slot, LocksetId held)
{
	u32 stores = 0;

	for (InstId i = 1; i < r->pta->insts.n; i++) {
		const Fn *f = pta_fn(r->pta, i);
		for (InsId id = f->ins; id < f->ins + f->nins; id++) {
			Touch touch[2];
			u32 n = access_touches(r->ir, id, touch);
			for (u32 k = 0; k < n; k++) {
				if (!(touch[k].flags & ACC_WRITE) ||
				    !meets_slot(r, i, touch[k].addr, touch[k].size, slot))
					continue;
				if (++stores > MAX_STORES ||
				    !keeps_set(r->ir, f, ir_ins(r->ir, id)))
					return false;
			}
		}
	}
	return stores && written_under(r, slot, held);
}

/* Is the variable looked at only under such locks, or by who has passed? */
static bool
is_closed(Reasons *rs, Once *g)
{
	const Races *r = rs->r;

	if (!g->closed)
		g->closed = 2;
	else
		return g->closed == 2;
	for (u32 k = 0; k < r->conc->accesses.n && g->closed == 2; k++) {
		const Access *x = access_at(r, k);
		if (x->flags & ACC_WRITE || is_under(r, x, g->held))
			continue;
		SET_FOR (it, pta_pts(r->pta, x->inst, x->addr))
			if (it.x == g->slot && !comes_behind(rs, g, k, false))
				g->closed = 1;
	}
	return g->closed == 2;
}

/* Is the load of a variable under the write's locks that is set once? */
static bool
loads_gate(Reasons *rs, Onces *os, const Access *w, const Frame *at, InsId load)
{
	const Races *r = rs->r;
	const Ins *i = ir_ins(r->ir, load);
	const Set *to = i->op == OP_LOAD ? pta_pts(r->pta, at->inst, ins_arg(r->ir, i, 0)) : NULL;
	u32 *known;
	bool under = true; /* not listed: nobody else has it */

	if (!to || !set_single(to) || !pta_slot_exact(r->pta, set_first(to)) ||
	    pta_obj(r->pta, pta_slot(r->pta, set_first(to))->obj)->kind != OBJ_GLOBAL)
		return false;
	for (u32 k = access_first(r, load); k < r->conc->accesses.n; k++) {
		const Access *l = access_at(r, k);
		if (l->ins != load)
			break;
		if (l->inst != at->inst || l->thread != w->thread)
			continue;
		under = is_under(r, l, w->held);
		if (under)
			break;
	}
	if (!under)
		return false;
	known = map_at(r->arena, &os->slots, map_pair(set_first(to), w->held));
	if (!*known)
		*known = 1 + set_under(r, set_first(to), w->held);
	return *known == 2;
}

/* The number of ways into a block. */
static u32
ways_into(const Ir *ir, const Fn *f, BlockId to)
{
	u32 n = 0;

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(ir, f, b);
		for (u32 k = 0; k < bl->nsucc; k++)
			n += ir->succs.at[bl->succ + k] == to;
		n += bl->exc == to;
	}
	return n;
}

/* The operand of the comparison that may be the variable, if its outcome says that it is not set yet: it
 * is zero, or is not what it is set to; 0 neither. */
static Val
unset_of(const Ir *ir, const Ins *test, bool outcome, u32 k)
{
	Val other;
	bool zero;

	if (test->op != OP_CMP || (test->sub != CMP_EQ && test->sub != CMP_NE))
		return 0;
	other = ins_arg(ir, test, !k);
	zero = val_is_const(other) && sign_of(ir, other) == SIGN_ZERO;
	return outcome == ((test->sub == CMP_EQ) == zero) ? ins_arg(ir, test, k) : 0;
}

/* The load of such a variable, by whose test alone, if it is not set, control comes to the frame;
 * 0 none. */
static InsId
find_test(Reasons *rs, Onces *os, const Access *w, const Frame *at)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = &r->ir->fns.at[fn];
	BlockId here = walk_block(r->walk, fn, at->ins), up = here;

	while ((up = walk_idom(r->walk, fn, up)) != 0) {
		const Block *b = fn_block(r->ir, f, up);
		const Ins *end = ir_ins(r->ir, b->ins + b->nins - 1), *test;
		InsId id, load;
		if (end->op != OP_CBR)
			continue;
		test = def_of(r->ir, f, ins_arg(r->ir, end, 0), &id);
		for (u32 k = 0; k < 2; k++) {
			BlockId to = r->ir->succs.at[b->succ + k];
			if (!test || !walk_block_dominates(r->walk, fn, to, here) ||
			    ways_into(r->ir, f, to) != 1)
				continue;
			for (u32 a = 0; a < 2; a++)
				if (def_of(r->ir, f, unset_of(r->ir, test, !k, a), &load) &&
				    loads_gate(rs, os, w, at, load))
					return load;
		}
	}
	return 0;
}

/* The instances that can come to the function by calls, itself among them. */
static void
find_reach(const Races *r, Once *g)
{
	const Pta *p = r->pta;
	VecU32 todo = {0};

	for (InstId i = 1; i < p->insts.n; i++)
		if (inst_fn(r, i) == g->fn) {
			set_add(r->arena, &g->reach, i);
			vec_push(r->arena, &todo, i);
		}
	while (todo.n) {
		const Inst *in = pta_inst(p, todo.at[--todo.n]);
		for (u32 c = in->caller; c < in->caller + in->ncaller; c++) {
			const Edge *e = &p->edges.at[p->callers.at[c]];
			if (!e->fork && set_add(r->arena, &g->reach, e->from))
				vec_push(r->arena, &todo, e->from);
		}
	}
	arena_recycle(r->arena, todo.at, todo.cap * sizeof *todo.at);
}

/* The index of the gate for its test, a new one if need be; none of those that are too many. */
static u32
gate_of_test(const Races *r, Onces *os, const Access *w, InstId inst, InsId test)
{
	Once g = {.fn = inst_fn(r, inst), .test = test, .held = w->held};

	for (u32 i = 0; i < os->at.n; i++)
		if (os->at.at[i].test == test)
			return i + 2;
	if (os->at.n == MAX_GATES)
		return 1;
	g.slot = set_first(pta_pts(r->pta, inst, ins_arg(r->ir, ir_ins(r->ir, test), 0)));
	find_reach(r, &g);
	vec_push(r->arena, &os->at, g);
	return os->at.n + 1;
}

/* The gate behind which the write is; null none. */
static Once *
gate_of(Reasons *rs, u32 access)
{
	const Races *r = rs->r;
	const Access *w = access_at(r, access);
	Onces *os = rs->onces;
	const Facts *facts;
	u32 known = map_get(&os->gates, access);

	if (!known) {
		facts = facts_of(rs, access);
		known = 1;
		for (u32 k = 0; k < facts->nframe && known == 1; k++) {
			const Frame *at = frame_of(rs, facts, k);
			InsId test = find_test(rs, os, w, at);
			if (test)
				known = gate_of_test(r, os, w, at->inst, test);
		}
		map_put(r->arena, &os->gates, access, known);
	}
	return known == 1 ? NULL : &os->at.at[known - 2];
}

static bool
once_for(Reasons *rs, u32 a, u32 b)
{
	const Access *w = access_at(rs->r, a);
	Once *g;

	if (!(w->flags & ACC_WRITE) || w->flags & ACC_FREE ||
	    !locks_count(rs->r->conc->locks, w->held))
		return false;
	g = gate_of(rs, a);
	return g && is_closed(rs, g) && comes_behind(rs, g, b, true);
}

bool
reason_once(Reasons *rs, u32 a, u32 b)
{
	if (!rs->onces)
		rs->onces = arena_new(rs->r->arena, Onces);
	return once_for(rs, a, b) || once_for(rs, b, a);
}

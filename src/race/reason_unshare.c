/* reason_unshare.c - objects that are their finder's own (RELAY's unsharing).
 *
 * The pointer was loaded from shared memory, the cell that it came from
 * overwritten in the same critical section, and that section left before the
 * access; or a function that did all this returned it; or it was taken out of
 * its cell by an atomic exchange, or out of a list by storing its own link in its
 * place; or it is found by walking through a list that was taken as a whole.  What such an object alone points to goes with it.  It does not help
 * against a thread that made the object, handed it on, and still uses the
 * pointer that it had, nor once the finder has linked it anew and let go of the lock.  This follows the paths of finite functions once and
 * goes up a bounded number of callers. */
#include "conc/sign.h"
#include "race/reason_int.h"

/* What the calls of inst between load and access may run. */
static void
run_between(const Races *r, InstId inst, InsId load, InsId access, Set *out)
{
	FnId fn = inst_fn(r, inst);
	const Inst *in = pta_inst(r->pta, inst);
	VecU32 work = {0};

	for (u32 k = 0; k < in->nedge; k++) {
		const Edge *e = &r->pta->edges.at[in->edge + k];

		if (!e->fork && walk_dominates(r->walk, fn, load, e->ins) &&
		    walk_dominates(r->walk, fn, e->ins, access) && set_add(r->arena, out, e->to))
			vec_push(r->arena, &work, e->to);
	}
	while (work.n) {
		in = pta_inst(r->pta, work.at[--work.n]);
		for (u32 k = 0; k < in->nedge; k++) {
			const Edge *e = &r->pta->edges.at[in->edge + k];

			if (!e->fork && set_add(r->arena, out, e->to))
				vec_push(r->arena, &work, e->to);
		}
	}
}

/* Does a release lie between the load and the first of two instructions? */
static bool
released_between(const Races *r, FnId fn, InsId load, InsId store)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if (ir_ins(r->ir, id)->op == OP_RELEASE && walk_dominates(r->walk, fn, load, id) &&
		    walk_dominates(r->walk, fn, id, store))
			return true;
	return false;
}

/* Does one lie on a way from the store on, which the other instruction lies behind? */
static bool
released_before(const Races *r, FnId fn, InsId store, InsId at)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if (ir_ins(r->ir, id)->op == OP_RELEASE && walk_reaches(r->walk, fn, store, id) &&
		    walk_dominates(r->walk, fn, id, at))
			return true;
	return false;
}

/* What was in the cell is no longer there, for anybody. */
static bool
is_exchange(const Ins *i)
{
	return i->op == OP_RMW && i->sub == BIN_XCHG && i->order != ORDER_PLAIN;
}

/* Does the edge say that what the load found is null? */
static bool
finds_nothing(const Races *r, const Fn *f, BlockId b, u32 succ, Val found)
{
	SignFact facts[SIGN_FACTS];
	u32 n = sign_edge(r->ir, f, fn_block(r->ir, f, b), succ, facts);

	for (u32 i = 0; i < n; i++)
		if (facts[i].reg == found && !(facts[i].mask & ~(u32)SIGN_ZERO))
			return true;
	return false;
}

/* Is the store on every way from the load to `at` on which there was something to find? */
static bool
on_the_way(const Races *r, FnId fn, InsId load, InsId store, InsId at)
{
	const Fn *f = &r->ir->fns.at[fn];
	BlockId by = walk_block(r->walk, fn, store), to = walk_block(r->walk, fn, at);
	bool *seen;
	VecU32 work = {0};

	if (walk_dominates(r->walk, fn, store, at))
		return true;
	if (by == walk_block(r->walk, fn, load))
		return load < store;
	if (by == to)
		return false;
	seen = arena_array(r->arena, bool, f->nblock + 1);
	vec_push(r->arena, &work, walk_block(r->walk, fn, load));
	while (work.n) {
		BlockId b = work.at[--work.n];
		const Block *block = fn_block(r->ir, f, b);
		for (u32 k = 0; k < block->nsucc; k++) {
			BlockId next = r->ir->succs.at[block->succ + k];
			if (next == by || seen[next] ||
			    finds_nothing(r, f, b, k, ir_ins(r->ir, load)->dst))
				continue;
			if (next == to)
				return false;
			seen[next] = true;
			vec_push(r->arena, &work, next);
		}
	}
	return true;
}

/* Is w a store, in the critical section of the load, before the frame's
 * instruction?  Before a return it may be left out where there was nothing to
 * unlink. */
static bool
unlinks(const Races *r, const Access *w, ThreadId thread, const Frame *at, InsId load,
	const Set *between)
{
	FnId fn = inst_fn(r, at->inst);

	if (!(w->flags & ACC_WRITE) || w->thread != thread || !locks_count(r->conc->locks, w->held))
		return false;
	if (w->inst != at->inst)
		return set_has(between, w->inst);
	return walk_dominates(r->walk, fn, load, w->ins) &&
	       (ir_ins(r->ir, at->ins)->op == OP_RET || on_the_way(r, fn, load, w->ins, at->ins)) &&
	       !released_between(r, fn, load, w->ins);
}

typedef struct Meet {
	const Threads *threads;
	bool shared;
} Meet;

static bool
meet_in(void *ctx, ObjId o, const Overlap *at)
{
	Meet *m = ctx;

	(void)at;
	m->shared = threads_shared(m->threads, o);
	return !m->shared;
}

/* Does one of inst's writes unlink what the load found in memory of shape? */
static bool
overwritten_in(const Races *r, InstId inst, u32 shape, ThreadId thread, const Frame *f, InsId load,
	       const Set *between)
{
	const VecU32 *ws = &r->writes[inst];

	for (u32 i = 0; i < ws->n; i++) {
		Meet m = {r->conc->threads, false};

		if (!unlinks(r, access_at(r, ws->at[i]), thread, f, load, between))
			continue;
		shapes_overlap(r, shape, r->shape_of[ws->at[i]], meet_in, &m);
		if (m.shared)
			return true;
	}
	return false;
}

static bool
overwritten(const Races *r, u32 shape, ThreadId thread, const Frame *f, InsId load,
	    const Set *between)
{
	if (overwritten_in(r, f->inst, shape, thread, f, load, between))
		return true;
	SET_FOR (it, between)
		if (it.x != f->inst && overwritten_in(r, it.x, shape, thread, f, load, between))
			return true;
	return false;
}

/* Does every way from the load to `at` pass a release? */
static bool
released_on_all(const Races *r, FnId fn, InsId load, InsId at)
{
	const Fn *f = &r->ir->fns.at[fn];
	BlockId home = walk_block(r->walk, fn, load), to = walk_block(r->walk, fn, at);
	bool *seen = arena_array(r->arena, bool, f->nblock + 1);
	VecU32 work = {0};
	InsId from = load + 1;

	vec_push(r->arena, &work, home);
	while (work.n) {
		BlockId b = work.at[--work.n];
		const Block *block = fn_block(r->ir, f, b);
		InsId id = from ? from : block->ins, end = block->ins + block->nins;

		if (b == to && at >= id)
			end = at;
		while (id < end && ir_ins(r->ir, id)->op != OP_RELEASE)
			id++;
		if (id == at)
			return false;
		for (u32 k = 0; id == end && k < block->nsucc; k++) {
			BlockId next = r->ir->succs.at[block->succ + k];
			if (!seen[next])
				vec_push(r->arena, &work, next);
			seen[next] = true;
		}
		from = 0;
	}
	return true;
}

/* Was what the frame's function loaded there unlinked before the frame's
 * instruction, in a critical section that has ended? */
static bool
unlinked(const Races *r, ThreadId thread, const Frame *at, InsId load)
{
	Set between = {0};
	FnId fn = inst_fn(r, at->inst);

	if (!released_before(r, fn, load, at->ins) && !released_on_all(r, fn, load, at->ins))
		return false;
	run_between(r, at->inst, load, at->ins, &between);
	for (u32 k = access_first(r, load); k < r->conc->accesses.n; k++) {
		const Access *l = access_at(r, k);

		if (l->ins != load)
			break;
		if (l->inst == at->inst && l->thread == thread &&
		    locks_count(r->conc->locks, l->held) &&
		    overwritten(r, r->shape_of[k], thread, at, load, &between))
			return true;
	}
	return false;
}

/* Whoever only looks into a cell of exchanges has nothing: that counts between those who take. */
typedef enum Unshared { UNSHARED_NO = 1, UNSHARED_YES, UNSHARED_WITHIN, UNSHARED_TAKEN } Unshared;

typedef struct Unlinked {
	const Races *r;
	ThreadId thread;
	InstId inst;
	Val walk;    /* of inst: the phi of a loop that may walk through a list, or 0 */
	bool taken;  /* by an exchange */
	bool walked; /* some come from the object before */
	bool part;   /* others from where more than they were left */
} Unlinked;

/* Is null stored where the load found it?  Then it was all of the list. */
static bool
takes_all(const Races *r, const Frame *at, InsId load)
{
	const Fn *f = pta_fn(r->pta, at->inst);

	for (InsId id = load; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);
		Val v = i->op == OP_STORE ? ins_arg(r->ir, i, 1) : 0;
		if (val_is_const(v) && ir_const(r->ir, v)->kind == CONST_NULL &&
		    same_address(r->ir, f, ins_arg(r->ir, i, 0),
				 ins_arg(r->ir, ir_ins(r->ir, load), 0)))
			return true;
	}
	return false;
}

static bool
is_unlinked(void *ctx, const Frame *at, InsId load)
{
	Unlinked *u = ctx;
	const Fn *f = pta_fn(u->r->pta, at->inst);

	if (is_exchange(ir_ins(u->r->ir, load)))
		return u->taken = true;
	if (u->walk && u->inst == at->inst &&
	    root_of(u->r->ir, f, ins_arg(u->r->ir, ir_ins(u->r->ir, load), 0)) == u->walk)
		return u->walked = true;
	u->part |= !takes_all(u->r, at, load);
	return unlinked(u->r, u->thread, at, load);
}

/* Does the instruction store what v itself links to, elsewhere? */
static bool
bridges(const Ir *ir, const Fn *f, const Ins *store, Val v)
{
	InsId id;
	const Ins *link;

	if (store->op != OP_STORE || root_of(ir, f, ins_arg(ir, store, 0)) == v)
		return false;
	link = def_of(ir, f, root_of(ir, f, ins_arg(ir, store, 1)), &id);
	return link && link->op == OP_LOAD && root_of(ir, f, ins_arg(ir, link, 0)) == v;
}

/* Is a lock held by the thread at the instruction, which is an access? */
static bool
is_locked_at(const Races *r, ThreadId t, InstId inst, InsId ins)
{
	for (u32 k = access_first(r, ins); k < r->conc->accesses.n; k++) {
		const Access *a = access_at(r, k);

		if (a->ins != ins)
			break;
		if (a->inst == inst && a->thread == t && locks_count(r->conc->locks, a->held))
			return true;
	}
	return false;
}

/* Does the call take its argument v out of a list, under a lock? */
static bool
removes(const Races *r, ThreadId t, const Frame *call, Val v)
{
	const Ins *c = ir_ins(r->ir, call->ins);
	const Fn *caller = pta_fn(r->pta, call->inst), *f;
	u32 n;
	const Edge *e = pta_targets(r->pta, call->inst, call->ins, &n);

	if (n != 1 || e->fork)
		return false;
	f = pta_fn(r->pta, e->to);
	for (Val k = 1; k < c->narg && k <= f->nparam; k++) {
		if (root_of(r->ir, caller, ins_arg(r->ir, c, k)) != v)
			continue;
		for (InsId i = f->ins; i < f->ins + f->nins; i++)
			if (bridges(r->ir, f, ir_ins(r->ir, i), k) && is_locked_at(r, t, e->to, i))
				return true;
	}
	return false;
}

/* Has the frame's function, which was given v, taken it out of a list under a lock, by storing
 * what it links to?  Where it was not in the list there was nothing to do. */
static bool
removed(const Races *r, ThreadId t, const Frame *at, Val v)
{
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId i = f->ins; i < f->ins + f->nins; i++) {
		const Ins *ins = ir_ins(r->ir, i);
		Frame call = {at->inst, i};

		if (i != at->ins &&
		    ((bridges(r->ir, f, ins, v) && is_locked_at(r, t, at->inst, i) &&
		      walk_reaches(r->walk, fn, i, at->ins) &&
		      !walk_reaches(r->walk, fn, at->ins, i) &&
		      released_before(r, fn, i, at->ins)) ||
		     (ins->op == OP_CALL && walk_dominates(r->walk, fn, i, at->ins) &&
		      removes(r, t, &call, v))))
			return true;
	}
	return false;
}

/* Were the loads unlinked by which the address of the load was chosen?  Then the next one
 * who looks there finds something else: queue[head], and head has moved on. */
static bool
passed_on(const Races *r, ThreadId t, const Frame *at, InsId load)
{
	const Fn *f = pta_fn(r->pta, at->inst);
	InsId by[SLICE_LOADS], id;
	const Ins *i = ir_ins(r->ir, load);
	Val v = ins_arg(r->ir, i, i->op == OP_BCOPY);

	while ((i = def_of(r->ir, f, v, &id)) != NULL &&
	       (i->op == OP_COPY || i->op == OP_FIELD || i->op == OP_INDEX || i->op == OP_CAST)) {
		u32 n = i->op == OP_INDEX ? reason_slice(r->ir, f, ins_arg(r->ir, i, 1), by) : 0;
		while (n)
			if (unlinked(r, t, at, by[--n]))
				return true;
		v = ins_arg(r->ir, i, 0);
	}
	return i && i->op == OP_LOAD && unlinked(r, t, at, id);
}

bool
reason_taken(Reasons *rs, ThreadId t, const Frame *at, InsId load)
{
	return is_exchange(ir_ins(rs->r->ir, load)) || unlinked(rs->r, t, at, load) ||
	       passed_on(rs->r, t, at, load);
}

static Unshared
taken(Unshared answer)
{
	return answer == UNSHARED_YES ? UNSHARED_TAKEN : UNSHARED_NO;
}

/* Is the access to an object that was unlinked, or by a pointer in such a one? */
static Unshared
unshares(Reasons *rs, u32 access)
{
	const Races *r = rs->r;
	const Access *a = access_at(r, access);
	const Facts *facts = facts_of(rs, access);
	Unlinked u = {.r = r, .thread = a->thread};
	Unshared answer = UNSHARED_YES;
	Val v = a->addr;

	for (u32 k = 0; k < facts->nframe;) {
		const Frame *at = frame_of(rs, facts, k);
		const Fn *f = pta_fn(r->pta, at->inst);
		InsId load;
		const Ins *i;

		v = root_of(r->ir, f, v);
		i = def_of(r->ir, f, v, &load);
		u.inst = at->inst;
		u.walk = i && i->op == OP_PHI ? v : 0;
		u.walked = u.part = false;
		if (i && (i->op == OP_CALL || i->op == OP_PHI) &&
		    reason_found(r, at, v, is_unlinked, &u) && !(u.walked && u.part))
			return u.taken ? taken(answer) : answer;
		if (i && is_exchange(i))
			return taken(answer);
		if (i && i->op == OP_LOAD && unlinked(r, a->thread, at, load))
			return answer;
		if (val_is_reg(v) && removed(r, a->thread, at, v))
			return answer;
		if (i && (i->op != OP_LOAD || answer == UNSHARED_WITHIN))
			return UNSHARED_NO;
		if (i) {
			answer = UNSHARED_WITHIN;
			v = ins_arg(r->ir, i, 0);
			continue;
		}
		if (!val_is_reg(v) || ++k == facts->nframe)
			return UNSHARED_NO;
		v = frame_argument(r, frame_of(rs, facts, k), v);
	}
	return UNSHARED_NO;
}

/* Is the register an operand of anything in the function? */
static bool
is_used(const Ir *ir, const Fn *f, Val reg)
{
	for (InsId id = f->ins; reg && id < f->ins + f->nins; id++)
		for (u32 k = 0; k < ir_ins(ir, id)->narg; k++)
			if (ins_arg(ir, ir_ins(ir, id), k) == reg)
				return true;
	return false;
}

/* Does the instruction lie before the frame's, where that is not in a loop which comes back to it? */
static bool
lies_before(const Races *r, FnId fn, InsId id, InsId at)
{
	return id != at &&
	       (walk_dominates(r->walk, fn, id, at) ||
		(walk_reaches(r->walk, fn, id, at) && !walk_reaches(r->walk, fn, at, id)));
}

/* Does the instruction, which comes before the frame's and says nothing of a failure, hand v
 * on? */
static bool
hands_on(Reasons *rs, const Frame *at, InsId id, Val v, ObjId o)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = &r->ir->fns.at[fn];
	const Ins *i = ir_ins(r->ir, id);
	bool given = false;

	for (u32 k = i->op == OP_CALL || i->op == OP_STORE; k < i->narg; k++)
		given |= root_of(r->ir, f, ins_arg(r->ir, i, k)) == v;
	return given && lies_before(r, fn, id, at->ins) && reason_publishes(rs, at->inst, id, o) &&
	       !is_used(r->ir, f, i->dst);
}

/* Has the thread, before the access, linked the object to shared memory again, as one who puts what is done in
 * another list, and left that section? */
static bool
links_again(Reasons *rs, u32 access, ObjId o)
{
	const Races *r = rs->r;
	const Access *a = access_at(r, access);
	const Facts *facts = facts_of(rs, access);
	Val v = a->addr;

	for (u32 k = 0; k < facts->nframe; k++) {
		const Frame *at = frame_of(rs, facts, k);
		FnId fn = inst_fn(r, at->inst);
		const Fn *f = pta_fn(r->pta, at->inst);
		InsId def;

		v = root_of(r->ir, f, v);
		if (!val_is_reg(v))
			return false;
		for (InsId id = f->ins; id < f->ins + f->nins; id++) {
			const Ins *i = ir_ins(r->ir, id);
			if (i->op == OP_STORE && root_of(r->ir, f, ins_arg(r->ir, i, 1)) == v &&
			    root_of(r->ir, f, ins_arg(r->ir, i, 0)) != v && id != at->ins &&
			    walk_dominates(r->walk, fn, id, at->ins) &&
			    released_before(r, fn, id, at->ins) &&
			    is_locked_at(r, a->thread, at->inst, id) &&
			    reason_publishes(rs, at->inst, id, o))
				return true;
		}
		if (def_of(r->ir, f, v, &def) || k + 1 == facts->nframe)
			return false;
		v = frame_argument(r, frame_of(rs, facts, k + 1), v);
	}
	return false;
}

/* Did the thread that made o hand it on, and goes on to use it by a pointer of its own? */
static bool
keeps_pointer(Reasons *rs, u32 access, ObjId o)
{
	const Races *r = rs->r;
	const Access *a = access_at(r, access);
	const Facts *facts = facts_of(rs, access);
	Val v = a->addr;

	for (u32 k = 0; v && k < facts->nframe; k++) {
		const Frame *at = frame_of(rs, facts, k);
		const Fn *f = pta_fn(r->pta, at->inst);
		InsId def;
		const Ins *i;

		v = root_of(r->ir, f, v);
		i = def_of(r->ir, f, v, &def);
		if (!val_is_reg(v) || (i && !reason_makes(rs, at->inst, def, o)))
			return false;
		for (InsId id = f->ins; id < f->ins + f->nins; id++)
			if (hands_on(rs, at, id, v, o))
				return true;
		if (i || k + 1 == facts->nframe)
			return false;
		v = frame_argument(r, frame_of(rs, facts, k + 1), v);
	}
	return false;
}

static Unshared
unshared_at(Reasons *rs, u32 access)
{
	Facts *f = facts_of(rs, access);

	if (!f->unshared)
		f->unshared = (u8)unshares(rs, access);
	return f->unshared;
}

/* Is o the finder's own at the access, and the other access not by who made it, or linked it, and kept
 * a pointer? */
static bool
finders_own(Reasons *rs, u32 access, u32 other, ObjId o)
{
	Unshared own = unshared_at(rs, access);
	u32 kept;

	/* What is in an object of the finder's may be one for all of them. */
	if (own == UNSHARED_NO ||
	    (own == UNSHARED_WITHIN && (pta_obj(rs->r->pta, o)->kind != OBJ_HEAP ||
					threads_single(rs->r->conc->threads, o))) ||
	    (own == UNSHARED_TAKEN && unshared_at(rs, other) == UNSHARED_NO) ||
	    (own == UNSHARED_YES && links_again(rs, access, o)))
		return false;
	kept = map_get(&rs->kept, map_pair(other, o));
	if (!kept) {
		kept = 1 + (keeps_pointer(rs, other, o) || links_again(rs, other, o));
		map_put(rs->r->arena, &rs->kept, map_pair(other, o), kept);
	}
	return kept == 1;
}

bool
reason_unsharing(Reasons *rs, u32 a, u32 b, ObjId o)
{
	u32 lacks = slips_side(rs->r->slips, a, b); /* whoever holds the lock shares the object */

	return (lacks != 2 && finders_own(rs, a, b, o)) || (lacks != 1 && finders_own(rs, b, a, o));
}

/* reason_own.c - objects that are a thread's own for the moment.
 *
 * Initialization: the thread made the object, reaches it by a pointer of its
 * own, and nothing that may publish it lies between its making and the access;
 * where that is proven (ACC_FRESH), the publication is what is wrong.  What is
 * loaded from such an object is as little published as that is.
 * Unsharing: the pointer was loaded from shared memory, the cell that it came
 * from overwritten in the same critical section, and that section left before
 * the access; or a function that did all this returned it.  What such an object alone points to
 * goes with it.  It does not help against a thread that made the object, handed
 * it on, and still uses the pointer that it had.  Both follow the paths of
 * finite functions once and go up a bounded number of callers. */
#include "conc/sign.h"
#include "race/reason_int.h"

static const Set *
publishers_of(Reasons *rs, ObjId o)
{
	const Races *r = rs->r;
	u32 n;
	const Publisher *by;

	if (!rs->publishers[o]) {
		rs->publishers[o] = arena_new(r->arena, Set);
		by = fresh_publishers(r->conc->fresh, o, &n);
		for (u32 i = 0; i < n; i++)
			above_add(rs->above, by[i].inst, rs->publishers[o]);
	}
	return rs->publishers[o];
}

static const Set *
makers_of(Reasons *rs, ObjId o)
{
	const Races *r = rs->r;

	if (!rs->makers[o]) {
		rs->makers[o] = arena_new(r->arena, Set);
		above_add(rs->above, pta_obj(r->pta, o)->inst, rs->makers[o]);
	}
	return rs->makers[o];
}

bool
reason_calls(const Reasons *rs, InstId inst, InsId ins, const Set *above)
{
	u32 n;
	const Edge *e;

	if (ir_ins(rs->r->ir, ins)->op != OP_CALL)
		return false;
	e = pta_targets(rs->r->pta, inst, ins, &n);
	for (u32 i = 0; i < n; i++)
		if (!e[i].fork && above_has(rs->above, above, e[i].to))
			return true;
	return false;
}

static bool
may_publish(Reasons *rs, InstId inst, InsId ins, ObjId o)
{
	const Races *r = rs->r;
	Op op = (Op)ir_ins(r->ir, ins)->op;
	u32 n;
	const Publisher *by = fresh_publishers(r->conc->fresh, o, &n);

	if (op == OP_FORK || op == OP_EXTERN || op == OP_PUBLISH || fresh_many(r->conc->fresh, o))
		return true;
	if (!above_has(rs->above, publishers_of(rs, o), inst))
		return false;
	for (u32 i = 0; i < n; i++)
		if (by[i].ins == ins && by[i].inst == inst)
			return true;
	return reason_calls(rs, inst, ins, publishers_of(rs, o));
}

bool
reason_makes(Reasons *rs, InstId inst, InsId ins, ObjId o)
{
	const Obj *obj = pta_obj(rs->r->pta, o);

	if (ins == obj->ins && inst == obj->inst)
		return true;
	return reason_calls(rs, inst, ins, makers_of(rs, o));
}

typedef enum Back { BACK_MADE, BACK_ENTRY, BACK_PUBLISHED } Back;

/* Goes back from ins to wherever o was made: what may lie on the way? */
static Back
look_back(Reasons *rs, const Frame *at, ObjId o)
{
	Races *r = rs->r;
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = &r->ir->fns.at[fn];
	bool *seen = arena_array(r->arena, bool, f->nblock + 1);
	BlockId b = walk_block(r->walk, fn, at->ins);
	InsId from = at->ins;
	VecU32 work = {0};
	Back result = BACK_MADE;

	for (;;) {
		InsId first = fn_block(r->ir, f, b)->ins;
		const BlockId *preds;
		u32 n;

		while (from > first && !reason_makes(rs, at->inst, from - 1, o)) {
			from--;
			if (may_publish(rs, at->inst, from, o))
				return BACK_PUBLISHED;
		}
		if (from > first && may_publish(rs, at->inst, from - 1, o))
			return BACK_PUBLISHED; /* a call that makes and publishes */
		preds = walk_preds(r->walk, fn, b, &n);
		if (from == first && b == 1)
			result = BACK_ENTRY;
		for (u32 i = 0; from == first && i < n; i++)
			if (!seen[preds[i]]) {
				seen[preds[i]] = true;
				vec_push(r->arena, &work, preds[i]);
			}
		if (!work.n)
			return result;
		b = work.at[--work.n];
		from = fn_block(r->ir, f, b)->ins + fn_block(r->ir, f, b)->nins;
	}
}

/* The same, looked for once. */
static Back
go_back(Reasons *rs, const Frame *at, ObjId o)
{
	const u32 key[] = {at->inst, at->ins, o};
	u32 id = intern_bytes(&rs->gone_back, key, sizeof key);

	if (id > rs->backs.n)
		vec_push(rs->r->arena, &rs->backs, look_back(rs, at, o));
	return (Back)rs->backs.at[id - 1];
}

/* Is v, in inst, a pointer that no other thread could have put there? */
static bool
is_private(const Races *r, InstId inst, Val v)
{
	const Fn *f = pta_fn(r->pta, inst);
	InsId id;
	const Ins *i = def_of(r->ir, f, v, &id);
	const Set *pts;

	if (!i)
		return val_is_reg(v); /* a parameter: its callers decide */
	if (i->op == OP_ALLOC || i->op == OP_CALL)
		return true;
	if (i->op != OP_LOAD)
		return false;
	pts = pta_pts(r->pta, inst, ins_arg(r->ir, i, 0));
	SET_FOR (it, pts)
		if (threads_shared(r->conc->threads, pta_slot(r->pta, it.x)->obj))
			return false;
	return !set_empty(pts);
}

/* The one object that v may point to; 0 if there are none, or several. */
static ObjId
only_object(const Races *r, InstId inst, Val v)
{
	ObjId o = 0;

	SET_FOR (it, pta_pts(r->pta, inst, v)) {
		ObjId x = pta_slot(r->pta, it.x)->obj;
		if (o && x != o)
			return 0;
		o = x;
	}
	return o;
}

/* Could the thread have made the object? */
static bool
is_made_by(const Races *r, ThreadId t, ObjId o)
{
	const Obj *obj = pta_obj(r->pta, o);

	return o && (obj->kind == OBJ_HEAP || obj->kind == OBJ_STACK) &&
	       set_has(&r->conc->threads->of_obj[o], t);
}

/* A pointer in a function, to an object that is asked about there. */
typedef struct Held {
	Frame at;
	Val v;
	ObjId o;
} Held;

enum { LINKS = 4 }; /* how many objects are looked through in one function */

/* Goes from what was loaded from an object to that object, until the pointer is no other
 * thread's doing. */
static bool
find_private(const Races *r, ThreadId t, Held *h)
{
	const Fn *f = pta_fn(r->pta, h->at.inst);

	for (u32 k = 0; k < LINKS; k++) {
		InsId id;
		const Ins *i;
		h->v = root_of(r->ir, f, h->v);
		if (!h->v)
			return false;
		if (is_private(r, h->at.inst, h->v))
			return true;
		i = def_of(r->ir, f, h->v, &id);
		if (!i || i->op != OP_LOAD)
			return false;
		h->v = root_of(r->ir, f, ins_arg(r->ir, i, 0));
		h->o = only_object(r, h->at.inst, h->v);
		h->at.ins = id;
		if (!is_made_by(r, t, h->o))
			return false;
	}
	return false;
}

/* Has thread t made the object, and not published it yet, when it comes to frame `first`
 * with the pointer v? */
static bool
unpublished(Reasons *rs, ThreadId t, const Facts *facts, u32 first, Val v, ObjId o)
{
	const Races *r = rs->r;
	Held h = {.v = v, .o = o};

	if (!is_made_by(r, t, o))
		return false;
	for (u32 i = first; i < facts->nframe; i++) {
		h.at = *frame_of(rs, facts, i);
		if (!find_private(r, t, &h))
			return false;
		switch (go_back(rs, &h.at, h.o)) {
		case BACK_MADE: return true;
		case BACK_PUBLISHED: return false;
		case BACK_ENTRY: break;
		}
		if (fn_reg(r->ir, pta_fn(r->pta, h.at.inst), h.v)->def || i + 1 == facts->nframe)
			return false;
		h.v = frame_argument(r, frame_of(rs, facts, i + 1), h.v);
	}
	return false;
}

/* The same of the object of a library that the program's call works on, if the access
 * is within such a call. */
static bool
uses_unpublished(Reasons *rs, ThreadId t, const Facts *facts)
{
	const Races *r = rs->r;
	u32 k = 0;
	Val v;

	while (k < facts->nframe &&
	       pta_fn(r->pta, frame_of(rs, facts, k)->inst)->flags & FN_LIBRARY)
		k++;
	if (!k || k == facts->nframe)
		return false;
	v = frame_argument(r, frame_of(rs, facts, k), 1);
	return v &&
	       unpublished(rs, t, facts, k, v, only_object(r, frame_of(rs, facts, k)->inst, v));
}

static bool
initializes(Reasons *rs, u32 access, ObjId o)
{
	const Access *a = access_at(rs->r, access);
	const Facts *facts = facts_of(rs, access);

	return !(a->flags & ACC_FRESH) && (unpublished(rs, a->thread, facts, 0, a->addr, o) ||
					   uses_unpublished(rs, a->thread, facts));
}

bool
reason_initialization(Reasons *rs, u32 access, ObjId o)
{
	u32 *at = map_at(rs->r->arena, &rs->own, map_pair(access, o));

	if (!*at) {
		u32 answer = 1;

		*at = answer; /* a place must not stay empty */
		answer += initializes(rs, access, o);
		map_put(rs->r->arena, &rs->own, map_pair(access, o), answer);
		return answer == 2;
	}
	return *at == 2;
}

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
	if (by == to || by == walk_block(r->walk, fn, load))
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

/* Was what the frame's function loaded there unlinked before the frame's
 * instruction, in a critical section that has ended? */
static bool
unlinked(const Races *r, ThreadId thread, const Frame *at, InsId load)
{
	Set between = {0};

	if (!released_between(r, inst_fn(r, at->inst), load, at->ins))
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

typedef enum Unshared { UNSHARED_NO = 1, UNSHARED_YES, UNSHARED_WITHIN } Unshared;

typedef struct Unlinked {
	const Races *r;
	ThreadId thread;
} Unlinked;

static bool
is_unlinked(void *ctx, const Frame *at, InsId load)
{
	const Unlinked *u = ctx;

	return unlinked(u->r, u->thread, at, load);
}

/* Is the access to an object that was unlinked, or by a pointer in such a one? */
static Unshared
unshares(Reasons *rs, u32 access)
{
	const Races *r = rs->r;
	const Access *a = access_at(r, access);
	const Facts *facts = facts_of(rs, access);
	Unlinked u = {r, a->thread};
	Unshared answer = UNSHARED_YES;
	Val v = a->addr;

	for (u32 k = 0; k < facts->nframe;) {
		const Frame *at = frame_of(rs, facts, k);
		const Fn *f = pta_fn(r->pta, at->inst);
		InsId load;
		const Ins *i;

		v = root_of(r->ir, f, v);
		i = def_of(r->ir, f, v, &load);
		if (i && i->op == OP_CALL)
			return reason_found(r, at, v, is_unlinked, &u) ? answer : UNSHARED_NO;
		if (i && i->op == OP_LOAD && unlinked(r, a->thread, at, load))
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
	return given && id != at->ins && walk_dominates(r->walk, fn, id, at->ins) &&
	       may_publish(rs, at->inst, id, o) && !is_used(r->ir, f, i->dst);
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

/* Is o the finder's own at the access, and the other access not by who made it and kept a
 * pointer? */
static bool
finders_own(Reasons *rs, u32 access, u32 other, ObjId o)
{
	Facts *f = facts_of(rs, access);
	u32 kept;

	if (!f->unshared)
		f->unshared = unshares(rs, access);
	/* What is in an object of the finder's may be one for all of them. */
	if (f->unshared == UNSHARED_NO ||
	    (f->unshared == UNSHARED_WITHIN &&
	     (pta_obj(rs->r->pta, o)->kind != OBJ_HEAP || threads_single(rs->r->conc->threads, o))))
		return false;
	kept = map_get(&rs->kept, map_pair(other, o));
	if (!kept) {
		kept = 1 + keeps_pointer(rs, other, o);
		map_put(rs->r->arena, &rs->kept, map_pair(other, o), kept);
	}
	return kept == 1;
}

bool
reason_unsharing(Reasons *rs, u32 a, u32 b, ObjId o)
{
	return finders_own(rs, a, b, o) || finders_own(rs, b, a, o);
}

/* reason_own.c - objects that a thread has made and not published yet.
 *
 * The thread made the object, reaches it by a pointer of its own, and nothing
 * that may publish it lies between its making and the access; where that is
 * proven (ACC_FRESH), the publication is what is wrong.  What is loaded from
 * such an object is as little published as that is.  This follows the paths of
 * finite functions once and goes up a bounded number of callers. */
#include "race/reason_int.h"

enum { HOLDERS = 64 };

/* Is o an argument of the thread? */
static bool
is_given(const Races *r, const Thread *t, ObjId o)
{
	const Ins *fork = t->fork ? ir_ins(r->ir, t->fork) : NULL;

	if (t->start && pta_fn(r->pta, t->start)->flags & FN_DESTRUCTOR)
		return false;
	for (u32 k = 2; fork && k < fork->narg; k++)
		SET_FOR (it, pta_pts(r->pta, t->fork_inst, ins_arg(r->ir, fork, k)))
			if (pta_slot(r->pta, it.x)->obj == o)
				return true;
	return false;
}

/* The instances from which a store of the set is called: many objects are in the same sets. */
static const Set *
publishers_in(Reasons *rs, u32 set)
{
	const Races *r = rs->r;
	u32 n;
	const Publisher *by = fresh_publishers(r->conc->fresh, set, &n);

	if (!rs->set_publishers[set]) {
		rs->set_publishers[set] = arena_new(r->arena, Set);
		for (u32 i = 0; i < n; i++)
			above_add(rs->above, by[i].inst, rs->set_publishers[set]);
	}
	return rs->set_publishers[set];
}

static const Set *
publishers_of(Reasons *rs, ObjId o)
{
	const Races *r = rs->r;
	u32 n;
	const u32 *sets;

	if (!rs->publishers[o]) {
		rs->publishers[o] = arena_new(r->arena, Set);
		sets = fresh_sets(r->conc->fresh, o, &n);
		for (u32 i = 0; i < n; i++)
			set_or(r->arena, rs->publishers[o], publishers_in(rs, sets[i]));
		for (ThreadId t = 2; t < r->conc->threads->at.n; t++)
			if (is_given(r, thread_get(r->conc->threads, t), o))
				above_add(rs->above, thread_get(r->conc->threads, t)->fork_inst,
					  rs->publishers[o]);
	}
	return rs->publishers[o];
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

bool
reason_publishes(Reasons *rs, InstId inst, InsId ins, ObjId o)
{
	const Races *r = rs->r;
	Op op = (Op)ir_ins(r->ir, ins)->op;

	if (op == OP_FORK || op == OP_EXTERN || op == OP_PUBLISH || fresh_many(r->conc->fresh, o))
		return true;
	if (!above_has(rs->above, publishers_of(rs, o), inst))
		return false;
	return fresh_publishes(r->conc->fresh, inst, ins, o) ||
	       reason_calls(rs, inst, ins, publishers_of(rs, o));
}

bool
reason_makes(Reasons *rs, InstId inst, InsId ins, ObjId o)
{
	const Races *r = rs->r;
	const Obj *obj = pta_obj(r->pta, o);
	const Edge *e;
	u32 n;

	if (ins == obj->ins && inst == obj->inst)
		return true;
	if (ir_ins(r->ir, ins)->op != OP_CALL)
		return false;
	e = pta_targets(r->pta, inst, ins, &n);
	for (u32 i = 0; i < n; i++)
		if (!e[i].fork && above_calls(rs->above, e[i].to, obj->inst))
			return true;
	return false;
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
			if (reason_publishes(rs, at->inst, from, o))
				return BACK_PUBLISHED;
		}
		if (from > first && reason_publishes(rs, at->inst, from - 1, o))
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

/* The same; of several that one allocation makes in different contexts, the one that was made in a frame. */
static ObjId
frames_object(const Reasons *rs, const Facts *facts, InstId inst, Val v)
{
	const Races *r = rs->r;
	ObjId o = only_object(r, inst, v);
	InsId ins = 0;

	if (o)
		return o;
	SET_FOR (it, pta_pts(r->pta, inst, v)) {
		ObjId x = pta_slot(r->pta, it.x)->obj;
		const Obj *obj = pta_obj(r->pta, x);
		if (!obj->inst || (ins && obj->ins != ins))
			return 0;
		ins = obj->ins;
		for (u32 k = 0; k < facts->nframe; k++)
			if (frame_of(rs, facts, k)->inst == obj->inst)
				o = x;
	}
	return o;
}

/* Could the thread have made the object, for itself?  What the initialiser of a class makes is
 * everybody's. */
static bool
is_made_by(const Races *r, ThreadId t, ObjId o)
{
	const Obj *obj = pta_obj(r->pta, o);

	return o && (obj->kind == OBJ_HEAP || obj->kind == OBJ_STACK) &&
	       !(pta_fn(r->pta, obj->inst)->flags & FN_CINIT) &&
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
find_private(const Reasons *rs, ThreadId t, const Facts *facts, Held *h)
{
	const Races *r = rs->r;
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
		h->o = frames_object(rs, facts, h->at.inst, h->v);
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
		if (!find_private(rs, t, facts, &h))
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
 * is within such a call, to an object that the thread could have made, too: a view of what
 * others made leads to that. */
static bool
uses_unpublished(Reasons *rs, ThreadId t, const Facts *facts, ObjId o)
{
	const Races *r = rs->r;
	u32 k = 0;
	Val v;

	while (k < facts->nframe &&
	       pta_fn(r->pta, frame_of(rs, facts, k)->inst)->flags & FN_LIBRARY)
		k++;
	if (!k || k == facts->nframe || !is_made_by(r, t, o))
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
					   uses_unpublished(rs, a->thread, facts, o));
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

/* May t make the object, or a thread that it waits for before it goes on? */
static bool
is_made_for(const Races *r, ThreadId t, ObjId o)
{
	SET_FOR (it, &r->conc->threads->of_obj[o]) {
		ThreadId by = it.x;
		while (by != t && reason_scopes(r->reasons, by))
			by = thread_get(r->conc->threads, by)->parent;
		if (by == t)
			return true;
	}
	return false;
}

/* Adds the objects in which o is stored.  False: in a variable, or in very many. */
static bool
add_holders(const Races *r, ObjId o, Set *seen, VecU32 *out)
{
	u32 nset, n;
	const u32 *sets = fresh_sets(r->conc->fresh, o, &nset);

	for (u32 i = 0; i < nset; i++) {
		const Publisher *by = fresh_publishers(r->conc->fresh, sets[i], &n);
		for (u32 k = 0; k < n; k++) {
			const Ins *ins = ir_ins(r->ir, by[k].ins);
			if (ins->op != OP_STORE)
				continue;
			SET_FOR (it, pta_pts(r->pta, by[k].inst, ins_arg(r->ir, ins, 0))) {
				ObjId in = pta_slot(r->pta, it.x)->obj;
				if (pta_obj(r->pta, in)->kind == OBJ_GLOBAL || out->n > HOLDERS)
					return false;
				if (set_add(r->arena, seen, in))
					vec_push(r->arena, out, in);
			}
		}
	}
	return true;
}

/* Is o in no variable, nor anything that holds it? */
static bool
is_in_none(const Races *r, ObjId o)
{
	u32 *known = map_at(r->arena, &r->reasons->in_none, o);
	Set seen = {0};
	VecU32 todo = {0};
	bool none = true;

	if (!*known) {
		*known = 1;
		set_add(r->arena, &seen, o);
		vec_push(r->arena, &todo, o);
		for (u32 k = 0; none && k < todo.n; k++)
			none = add_holders(r, todo.at[k], &seen, &todo);
		set_recycle(r->arena, &seen);
		map_put(r->arena, &r->reasons->in_none, o, 1 + none);
		return none;
	}
	return *known == 2;
}

bool
reason_of_one(const Races *r, ThreadId t, ObjId o)
{
	const Obj *obj = pta_obj(r->pta, o);

	return thread_get(r->conc->threads, t)->unique ||
	       ((obj->kind == OBJ_STACK || obj->kind == OBJ_HEAP) && is_made_for(r, t, o) &&
		!fresh_many(r->conc->fresh, o) && is_in_none(r, o));
}

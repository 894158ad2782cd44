/* site_lock.c - locks by allocation site: the lock rule of Naik et al. 2006,
 * Section 2.2.4.
 *
 * A lock that an acquire certainly takes by its points-to set, one slot, counts
 * as held until its release.  The lattice is sets of such slots, less is more
 * held, so that intersection joins:
 *
 *	within a function   acquire adds its slot, release takes away all that it may
 *	                    be, also in the body of a model that a call runs; paths that meet keep what all of them hold; a handler
 *	                    keeps what is held at each instruction before it
 *	entry of a function what is held there and within at all its call sites, in
 *	                    all instances; nothing where a thread starts
 *
 * (As a reason, what constructors call to build parts of their objects does not count.)
 * A slot is listed once more for each time that it is taken again.  Sets only
 * shrink from "everything", so both fixpoints end.
 *
 * One slot may be many locks, so this proves nothing: it is a reason, or the
 * paper's own rule where that is asked for. */
#include "race/race_int.h"

#include "ir/cfg.h"

#include <string.h>

enum { DEPTH = 4, EVERYTHING = 0xFFFFFFFFu, OWNED_MOST = 20000, OWNED_FEW = 32 };

struct SiteLocks {
	Races *r;
	SetPool pool;
	SetId *entry;  /* [InstId]; EVERYTHING: not reached yet */
	SetId **local; /* [InstId]: of each instruction of its function; null: none is taken */
	Map owned;     /* object -> index + 1 in reach */
	Vec(Set) reach;
	Set locks;   /* objects that are taken as locks */
	Map holders; /* of them -> index + 1 in held_by */
	Vec(Set) held_by;
	bool held_known;
	Map many;      /* allocation -> index + 1 in made */
	Vec(Set) made; /* the objects of it that are taken as locks */
};

/* ---- within a function --------------------------------------------------------- */

/* What stands for one of the objects that an allocation makes in several contexts, whichever it is: a
 * number behind all slots. */
static u32
any_of(const struct SiteLocks *l, ObjId o)
{
	return l->r->pta->slots.n + pta_obj(l->r->pta, o)->ins;
}

/* The same for these slots, if they are such objects; 0: they are not.  As a reason only. */
static u32
take_any(struct SiteLocks *l, const Set *pts)
{
	const Pta *p = l->r->pta;
	InsId ins = 0;
	u32 *at;

	if (l->r->opt->site_locks || l->r->ir->classes.n <= 1)
		return 0;
	SET_FOR (it, pts) {
		const Obj *o = pta_obj(p, pta_slot(p, it.x)->obj);
		if (o->kind != OBJ_HEAP || !o->ins || (ins && o->ins != ins))
			return 0;
		ins = o->ins;
	}
	if (!ins)
		return 0;
	at = map_at(l->r->arena, &l->many, ins);
	if (!*at) {
		vec_push(l->r->arena, &l->made, (Set){0});
		*at = l->made.n;
	}
	SET_FOR (it, pts)
		set_add(l->r->arena, &l->made.at[*at - 1], pta_slot(p, it.x)->obj);
	return p->slots.n + ins;
}

static SetId
take(struct SiteLocks *l, SetId held, const Set *pts)
{
	u32 s = set_single(pts) ? set_first(pts) : take_any(l, pts);

	if (s && s < l->r->pta->slots.n)
		set_add(l->r->arena, &l->locks, pta_slot(l->r->pta, s)->obj);
	for (u32 k = 0; s && k < DEPTH; k++)
		if (!set_has(setpool_get(&l->pool, held), s * DEPTH + k))
			return setpool_add(&l->pool, held, s * DEPTH + k);
	return held;
}

static SetId
give_back_one(struct SiteLocks *l, SetId held, u32 s)
{
	for (u32 k = DEPTH; k-- > 0;)
		if (set_has(setpool_get(&l->pool, held), s * DEPTH + k))
			return setpool_del(&l->pool, held, s * DEPTH + k);
	return held;
}

static SetId
give_back(struct SiteLocks *l, SetId held, const Set *pts)
{
	u32 many = 0;

	SET_FOR (it, pts) {
		u32 any = any_of(l, pta_slot(l->r->pta, it.x)->obj);
		held = give_back_one(l, held, it.x);
		if (any != many)
			held = give_back_one(l, held, any);
		many = any;
	}
	return held;
}

static SetId
meet(struct SiteLocks *l, SetId x, SetId y)
{
	return x == EVERYTHING ? y : y == EVERYTHING ? x : setpool_meet(&l->pool, x, y);
}

/* Takes or gives back what an instruction does. */
static SetId
step(struct SiteLocks *l, InstId inst, const Ins *x, SetId held)
{
	const Set *pts;

	if (x->op != OP_ACQUIRE && x->op != OP_RELEASE)
		return held;
	pts = pta_pts(l->r->pta, inst, ins_arg(l->r->ir, x, 0));
	if (x->op == OP_RELEASE)
		return give_back(l, held, pts);
	return x->sub == LOCK_WRITE && !(x->flags & INS_TRY) ? take(l, held, pts) : held;
}

/* The one body of a model that a call on an interface runs; 0: it runs others. */
static InstId
model_body(const Races *r, InstId inst, InsId call)
{
	const Ins *x = ir_ins(r->ir, call);
	u32 n = 0;
	const Edge *e =
	    x->op == OP_CALL && x->sub == CALL_VIRTUAL ? pta_targets(r->pta, inst, call, &n) : NULL;
	const Fn *f = n == 1 ? pta_fn(r->pta, e->to) : NULL;

	return f && f->flags & FN_SYNTHETIC && f->nblock == 1 ? e->to : 0;
}

/* Does that take or release a lock? */
static bool
is_lock_call(const Races *r, InstId inst, InsId call)
{
	InstId body = model_body(r, inst, call);
	const Fn *f = pta_fn(r->pta, body);

	for (InsId i = f->ins; body && i < f->ins + f->nins; i++)
		if (ir_ins(r->ir, i)->op == OP_ACQUIRE || ir_ins(r->ir, i)->op == OP_RELEASE)
			return true;
	return false;
}

static SetId
step_call(struct SiteLocks *l, InstId inst, InsId call, SetId held)
{
	InstId body = model_body(l->r, inst, call);
	const Fn *f = pta_fn(l->r->pta, body);

	for (InsId i = f->ins; body && i < f->ins + f->nins; i++)
		held = step(l, body, ir_ins(l->r->ir, i), held);
	return held;
}

/* Goes through a block; what its handler may find goes to *raised. */
static SetId
step_block(struct SiteLocks *l, InstId inst, const Block *b, SetId held, SetId *at, SetId *raised)
{
	const Ir *ir = l->r->ir;
	const Fn *f = pta_fn(l->r->pta, inst);

	*raised = EVERYTHING;
	for (InsId i = b->ins; i < b->ins + b->nins; i++) {
		const Ins *x = ir_ins(ir, i);
		at[i - f->ins] = held;
		if (ins_may_throw(x))
			*raised = meet(l, *raised, held);
		held = x->op == OP_CALL ? step_call(l, inst, i, held) : step(l, inst, x, held);
	}
	return held;
}

static SetId *
solve_local(struct SiteLocks *l, InstId inst, Arena *scratch)
{
	const Ir *ir = l->r->ir;
	const Fn *f = pta_fn(l->r->pta, inst);
	SetId *at = arena_array(l->r->arena, SetId, f->nins);
	SetId *in = arena_array(scratch, SetId, f->nblock + 1);
	VecU32 todo = {0};

	memset(in, 0xff, (f->nblock + 1) * sizeof *in);
	in[1] = 0;
	vec_push(scratch, &todo, 1);
	while (todo.n) {
		BlockId id = todo.at[--todo.n];
		const Block *b = fn_block(ir, f, id);
		SetId raised, out = step_block(l, inst, b, in[id], at, &raised);
		for (u32 k = 0; k < b->nsucc + 1; k++) {
			BlockId to = k < b->nsucc ? ir->succs.at[b->succ + k] : b->exc;
			SetId now = to ? meet(l, in[to], k < b->nsucc ? out : raised) : 0;
			if (!to || now == in[to])
				continue;
			in[to] = now;
			vec_push(scratch, &todo, to);
		}
	}
	return at;
}

static bool
takes_locks(const Races *r, InstId inst)
{
	const Fn *f = pta_fn(r->pta, inst);

	for (InsId i = f->ins; i < f->ins + f->nins; i++)
		if (op_at(r, i) == OP_ACQUIRE ||
		    (op_at(r, i) == OP_CALL && is_lock_call(r, inst, i)))
			return true;
	return false;
}

/* ---- between functions --------------------------------------------------------- */

static SetId
held_at(struct SiteLocks *l, InstId inst, InsId ins)
{
	const SetId *at = l->local[inst];
	SetId entry = l->entry[inst] == EVERYTHING ? 0 : l->entry[inst];

	return at ? setpool_union(&l->pool, entry, at[ins - pta_fn(l->r->pta, inst)->ins]) : entry;
}

/* Does a constructor work there on a part of its object, which needs no lock yet?  That
 * says nothing of who works on it later; the paper's rule knows no such calls.  What the
 * constructor was given is no part that it makes: an iterator's list. */
static bool
builds(const struct SiteLocks *l, const Edge *e)
{
	const Fn *f = pta_fn(l->r->pta, e->from);
	const Ins *call = ir_ins(l->r->ir, e->ins);

	return !l->r->opt->site_locks && f->flags & FN_CONSTRUCTOR && call->op == OP_CALL &&
	       call->narg > 1 && ins_arg(l->r->ir, call, 1) > f->nparam;
}

static void
flow_down(struct SiteLocks *l, Arena *scratch)
{
	const Pta *p = l->r->pta;
	VecU32 todo = {0};

	l->entry[p->root] = 0;
	vec_push(scratch, &todo, p->root);
	for (u32 i = 0; i < p->edges.n; i++)
		if (p->edges.at[i].fork && l->entry[p->edges.at[i].to] == EVERYTHING) {
			l->entry[p->edges.at[i].to] = 0;
			vec_push(scratch, &todo, p->edges.at[i].to);
		}
	while (todo.n) {
		InstId from = todo.at[--todo.n];
		const Inst *in = pta_inst(p, from);
		for (u32 e = in->edge; e < in->edge + in->nedge; e++) {
			const Edge *edge = &p->edges.at[e];
			SetId now;
			if (edge->fork || builds(l, edge))
				continue;
			now = meet(l, l->entry[edge->to], held_at(l, from, edge->ins));
			if (now == l->entry[edge->to])
				continue;
			l->entry[edge->to] = now;
			vec_push(scratch, &todo, edge->to);
		}
	}
}

struct SiteLocks *
site_locks_new(Races *r)
{
	struct SiteLocks *l = arena_new(r->arena, struct SiteLocks);
	u32 n = r->pta->insts.n;
	Arena scratch;

	l->r = r;
	arena_init(&scratch, r->arena->budget);
	setpool_init(&l->pool, r->arena);
	l->entry = arena_array(r->arena, SetId, n + 1);
	l->local = arena_array(r->arena, SetId *, n + 1);
	memset(l->entry, 0xff, (n + 1) * sizeof *l->entry);
	for (InstId i = 1; i < n; i++)
		if (takes_locks(r, i))
			l->local[i] = solve_local(l, i, &scratch);
	flow_down(l, &scratch);
	arena_release(&scratch);
	return l;
}

/* ---- asking --------------------------------------------------------------------- */

SetId
site_locks_at(struct SiteLocks *l, const Access *a)
{
	return held_at(l, a->inst, a->ins);
}

void
site_locks_facts(struct SiteLocks *l, SetId x, Set *out)
{
	SET_FOR (it, setpool_get(&l->pool, x))
		if (it.x % DEPTH == 0 && it.x / DEPTH < l->r->pta->slots.n)
			set_add(l->r->arena, out, it.x / DEPTH * 2 + 1);
}

static void
add_held(const Races *r, const Set *held, Set *seen, VecU32 *todo)
{
	SET_FOR (it, held) {
		ObjId to = pta_slot(r->pta, it.x)->obj;
		if (set_add(r->arena, seen, to))
			vec_push(r->arena, todo, to);
	}
}

/* All that an object of a class leads to.  Objects share most of what they hold, so each part is
 * looked into once. */
static const Set *
reach_of(struct SiteLocks *l, ObjId o)
{
	Arena *a = l->r->arena;
	u32 *at = map_at(a, &l->owned, o);
	VecU32 todo = {0};
	Set seen = {0}, parts = {0}, known = {0};

	if (*at)
		return &l->reach.at[*at - 1];
	vec_push(a, &todo, o);
	set_add(a, &seen, o);
	for (u32 i = 0; i < todo.n && todo.n < OWNED_MOST; i++) {
		set_clear(&parts);
		pta_parts(l->r->pta, todo.at[i], a, &parts);
		SET_FOR (part, &parts)
			if (set_add(a, &known, part.x))
				add_held(l->r, pta_part(l->r->pta, part.x), &seen, &todo);
	}
	set_recycle(a, &parts);
	set_recycle(a, &known);
	vec_push(a, &l->reach, seen);
	*at = l->reach.n;
	return &l->reach.at[*at - 1];
}

static bool
is_instance(const struct SiteLocks *l, ObjId o)
{
	const Obj *x = pta_obj(l->r->pta, o);

	return x->kind == OBJ_HEAP && x->type && l->r->ir->types.at[x->type].kind == TYPE_CLASS;
}

/* Lists the objects of classes that hold locks. */
static void
find_holders(struct SiteLocks *l)
{
	Arena *a = l->r->arena;

	for (ObjId o = 1; o < l->r->pta->objs.n; o++) {
		Set held = {0};
		if (is_instance(l, o))
			pta_held(l->r->pta, o, a, &held);
		SET_FOR (it, &held) {
			ObjId lock = pta_slot(l->r->pta, it.x)->obj;
			u32 *at;
			if (lock == o || !set_has(&l->locks, lock))
				continue;
			at = map_at(a, &l->holders, lock);
			if (!*at) {
				vec_push(a, &l->held_by, (Set){0});
				*at = l->held_by.n;
			}
			set_add(a, &l->held_by.at[*at - 1], o);
		}
		set_recycle(a, &held);
	}
	l->held_known = true;
}

/* Does an object that holds the lock, as in a field made for that, lead to o? */
static bool
holder_owns(struct SiteLocks *l, ObjId lock, ObjId o)
{
	u32 at;

	if (!l->held_known)
		find_holders(l);
	at = map_get(&l->holders, lock);
	if (at)
		SET_FOR (it, &l->held_by.at[at - 1])
			if (set_has(reach_of(l, it.x), o))
				return true;
	return false;
}

/* An object that leads to nearly everything owns nothing; those of classes lead to what
 * their types allow. */
bool
site_locks_owns(struct SiteLocks *l, ObjId lock, ObjId o)
{
	const Obj *x = pta_obj(l->r->pta, lock), *y = pta_obj(l->r->pta, o);
	const Ir *ir = l->r->ir;
	bool class = x->type && ir->types.at[x->type].kind == TYPE_CLASS;

	/* One object has but one owner; where there are several of these, none is it. */
	if (l->r->conc->threads->obj_single[o] && !l->r->conc->threads->obj_single[lock])
		return false;
	if (y->kind != OBJ_HEAP || (x->kind != OBJ_HEAP && (class || x->kind != OBJ_GLOBAL)) ||
	    (lock == o && !class))
		return false;
	if (set_has(reach_of(l, lock), o))
		return class || set_count(reach_of(l, lock)) <= OWNED_FEW;
	return class && holder_owns(l, lock, o);
}

SetId
site_locks_with(struct SiteLocks *l, SetId held, InstId inst, InsId call)
{
	return setpool_union(&l->pool, held, held_at(l, inst, call));
}

/* Is o what is taken as one lock, or one of the objects that it stands for? */
static bool
is_lock(const struct SiteLocks *l, u32 lock, ObjId o)
{
	const Pta *p = l->r->pta;

	return lock < p->slots.n ? pta_slot(p, lock)->obj == o
				 : pta_obj(p, o)->ins == lock - p->slots.n;
}

/* Does what is taken as one lock own o?  One that stands for several objects owns no other of them. */
static bool
owns(struct SiteLocks *l, u32 lock, ObjId o)
{
	const Pta *p = l->r->pta;
	u32 row;

	if (lock < p->slots.n)
		return site_locks_owns(l, pta_slot(p, lock)->obj, o);
	if (is_lock(l, lock, o))
		return false;
	row = map_get(&l->many, lock - p->slots.n);
	SET_FOR (it, &l->made.at[row - 1])
		if (site_locks_owns(l, it.x, o))
			return true;
	return false;
}

bool
site_locks_enters(struct SiteLocks *l, InstId inst, ObjId o)
{
	SetId held = l->entry[inst];

	if (held == EVERYTHING)
		return false;
	SET_FOR (it, setpool_get(&l->pool, held))
		if (is_lock(l, it.x / DEPTH, o))
			return true;
	return false;
}

bool
site_locks_owner(struct SiteLocks *l, SetId x, SetId y, ObjId o, bool self)
{
	SetId both = setpool_meet(&l->pool, x, y);

	SET_FOR (it, setpool_get(&l->pool, both))
		if (it.x % DEPTH == 0 && (self || !is_lock(l, it.x / DEPTH, o)) &&
		    owns(l, it.x / DEPTH, o))
			return true;
	return false;
}

/* region.c - see region.h.
 *
 * The threads in question, the *workers*, are those of which distinct.c knows how they are made;
 * all others, the main thread among them, are *outsiders*.  An object is *own* if only one
 * instance of one worker ever has its address.  The greatest set of objects is looked for such
 * that
 *
 *	each is made by workers alone, or in the round of an outsider's loop that starts one
 *	worker, who can come to it from what he starts with;
 *	whatever a worker loads from an object that is not own is not own;
 *	a worker starts with no own objects but those that were made in its round;
 *	outsiders store own objects in own objects only in a round, before its thread is
 *	started, and both of them were made in it.
 *
 * Then, by induction over a run, an instance has only own objects that it made itself or that
 * were made for it: it starts with such, what it loads from its own objects was stored there
 * by itself or for it in its round, and what it loads from others is not own.  Own is a set of
 * abstract objects that starts with all that are made so and only shrinks, so this ends.  What
 * unknown code can reach is never own. */
#include "conc/region.h"

#include "conc/access.h"
#include "conc/distinct_int.h"

/* A pointer that an outsider stores, or the objects that it copies from. */
typedef struct Put {
	InstId inst;
	InsId ins;
	const Set *to;
	const Set *what; /* slots */
	bool copies;     /* what lies there, not these */
} Put;

struct Regions {
	Distinct *d;
	const Pta *p;
	const Ir *ir;
	Arena *a;
	Set workers;    /* ThreadIds */
	bool *inside;   /* [InstId]: workers run it, */
	bool *outside;  /* and outsiders */
	ThreadId *made; /* [ObjId]: the worker in whose round it is made; 0: by workers */
	Set own;        /* ObjIds */
	Set loaded;     /* slots from which workers load pointers */
	Set copied;     /* ObjIds that they copy from */
	Set joined;     /* slots to which results of threads are stored */
	Vec(Put) puts;
	bool changed;
};

/* ---- what there is ---------------------------------------------------------------- */

static void
find_workers(Regions *r)
{
	const Threads *t = r->d->t;

	for (ThreadId x = 1; x < t->at.n; x++) {
		bool worker = r->d->makers[x] != NULL;
		if (worker)
			set_add(r->a, &r->workers, x);
		SET_FOR (it, &t->insts[x])
			*(worker ? &r->inside[it.x] : &r->outside[it.x]) = true;
	}
}

/* Does the creator of t, an outsider, make o in a round of its own?  If o is for several, it is
 * nobody's own: whoever starts with it finds that. */
static void
claim(Regions *r, ThreadId t, ObjId o)
{
	const Obj *obj = pta_obj(r->p, o);

	if (!r->made[o] && obj->kind == OBJ_HEAP && obj->inst && obj->ins &&
	    ir_ins(r->ir, obj->ins)->op == OP_ALLOC && r->outside[obj->inst] &&
	    !r->inside[obj->inst] &&
	    form_made(r->d, r->d->makers[t], obj->inst, ir_ins(r->ir, obj->ins)->dst, 0).kind ==
		FORM_OWN)
		r->made[o] = t;
}

/* The objects that a thread can come to from what it starts with. */
static void
claim_all(Regions *r, ThreadId t)
{
	const Thread *th = thread_get(r->d->t, t);
	Set seen = {0}, next = {0};
	VecU32 todo = {0};

	for (u32 k = 1; k <= pta_fn(r->p, th->start)->nparam; k++)
		set_or(r->a, &next, pta_pts(r->p, th->start, k));
	for (;;) {
		SET_FOR (it, &next) {
			ObjId o = pta_slot(r->p, it.x)->obj;
			if (set_add(r->a, &seen, o))
				vec_push(r->a, &todo, o);
		}
		if (!todo.n)
			break;
		claim(r, t, todo.at[todo.n - 1]);
		set_clear(&next);
		pta_held(r->p, todo.at[--todo.n], r->a, &next);
	}
}

static void
find_objects(Regions *r)
{
	for (ObjId o = 1; o < r->p->objs.n; o++) {
		const Obj *obj = pta_obj(r->p, o);
		if (obj->kind != OBJ_HEAP || !obj->inst || !obj->ins || obj->folded ||
		    ir_ins(r->ir, obj->ins)->op != OP_ALLOC || fresh_unknown(r->d->fresh, o) ||
		    (r->inside[obj->inst] && r->outside[obj->inst]))
			continue;
		if (r->inside[obj->inst] || r->made[o])
			set_add(r->a, &r->own, o);
	}
}

static void
note_load(Regions *r, const Ins *ins, const Set *pts)
{
	if (ins->op != OP_BCOPY) {
		set_or(r->a, &r->loaded, pts);
		return;
	}
	SET_FOR (it, pts)
		set_add(r->a, &r->copied, pta_slot(r->p, it.x)->obj);
}

/* The pointers that an outsider may store with the instruction; and what the instruction gives
 * to whoever joins. */
static void
note_put(Regions *r, InstId inst, InsId id)
{
	const Ins *ins = ir_ins(r->ir, id);
	u32 k = ins->op == OP_CAS ? 2 : 1;
	Put put = {.inst = inst, .ins = id, .copies = ins->op == OP_BCOPY};

	if (ins->op == OP_JOIN && ins->narg > 1)
		set_or(r->a, &r->joined, pta_pts(r->p, inst, ins_arg(r->ir, ins, 1)));
	if (!r->outside[inst] ||
	    (ins->op != OP_STORE && ins->op != OP_RMW && ins->op != OP_CAS && ins->op != OP_BCOPY))
		return;
	put.to = pta_pts(r->p, inst, ins_arg(r->ir, ins, 0));
	put.what = pta_pts(r->p, inst, ins_arg(r->ir, ins, k));
	if (!set_empty(put.what) && !set_empty(put.to))
		vec_push(r->a, &r->puts, put);
}

static void
note_ins(Regions *r, InstId inst, InsId id)
{
	const Ins *ins = ir_ins(r->ir, id);
	Touch touch[2];
	u32 n = access_touches(r->ir, id, touch);

	for (u32 k = 0; r->inside[inst] && k < n; k++)
		if (!(touch[k].flags & ACC_WRITE) || ins->op == OP_RMW || ins->op == OP_CAS)
			note_load(r, ins, pta_pts(r->p, inst, touch[k].addr));
	note_put(r, inst, id);
}

static void
note_all(Regions *r)
{
	for (InstId i = 1; i < r->p->insts.n; i++) {
		const Fn *fn = pta_fn(r->p, i);
		for (InsId id = fn->ins; (r->inside[i] || r->outside[i]) && id < fn->ins + fn->nins;
		     id++)
			note_ins(r, i, id);
	}
}

/* ---- what is not own ---------------------------------------------------------------- */

static void
disown(Regions *r, const Set *slots)
{
	SET_FOR (it, slots)
		if (set_del(&r->own, pta_slot(r->p, it.x)->obj))
			r->changed = true;
}

static bool
any_own(const Regions *r, const Set *slots)
{
	SET_FOR (it, slots)
		if (set_has(&r->own, pta_slot(r->p, it.x)->obj))
			return true;
	return false;
}

static void
disown_held(Regions *r, ObjId o)
{
	Set held = {0};

	pta_held(r->p, o, r->a, &held);
	disown(r, &held);
	set_recycle(r->a, &held);
}

static void
disown_contents(Regions *r, SlotId at)
{
	Set held = {0};

	pta_contents(r->p, at, r->a, &held);
	disown(r, &held);
	set_recycle(r->a, &held);
}

/* What workers find in objects that are not own. */
static void
disown_found(Regions *r)
{
	SET_FOR (it, &r->loaded)
		if (!set_has(&r->own, pta_slot(r->p, it.x)->obj))
			disown_contents(r, it.x);
	SET_FOR (it, &r->copied)
		if (!set_has(&r->own, it.x))
			disown_held(r, it.x);
}

/* What workers start with, unless it was made for them in their round. */
static void
disown_given(Regions *r)
{
	SET_FOR (it, &r->workers) {
		const Thread *th = thread_get(r->d->t, it.x);
		for (u32 k = 1; k <= pta_fn(r->p, th->start)->nparam; k++) {
			u32 f = map_get(&r->d->makers[it.x]->params, map_pair(th->start, k));
			bool own = f && r->d->forms.at[f].kind == FORM_OWN &&
				   !(r->d->forms.at[f].base & OWN_ROW);
			SET_FOR (s, pta_pts(r->p, th->start, k)) {
				ObjId o = pta_slot(r->p, s.x)->obj;
				if ((!own || r->made[o] != it.x) && set_del(&r->own, o))
					r->changed = true;
			}
		}
	}
}

/* Are all own objects among these made for the one worker? */
static bool
all_for(const Regions *r, const Set *slots, ThreadId *t)
{
	SET_FOR (it, slots) {
		ObjId o = pta_slot(r->p, it.x)->obj;
		if (!set_has(&r->own, o))
			continue;
		if (!r->made[o] || (*t && *t != r->made[o]))
			return false;
		*t = r->made[o];
	}
	return true;
}

/* Does an outsider put something of a round into something of the same? */
static bool
within_round(Regions *r, const Put *p)
{
	const Ins *ins = ir_ins(r->ir, p->ins);
	ThreadId t = 0;
	const Maker *m;

	if (ins->op != OP_STORE || r->inside[p->inst] || !all_for(r, p->to, &t) ||
	    !all_for(r, p->what, &t) || !t)
		return false;
	m = r->d->makers[t];
	return made_before(r->d, m, p->inst, p->ins, false) &&
	       form_made(r->d, m, p->inst, ins_arg(r->ir, ins, 0), 0).kind == FORM_OWN &&
	       form_made(r->d, m, p->inst, ins_arg(r->ir, ins, 1), 0).kind == FORM_OWN;
}

static void
disown_put(Regions *r)
{
	for (u32 k = 0; k < r->puts.n; k++) {
		const Put *p = &r->puts.at[k];
		if (!any_own(r, p->to))
			continue;
		if (!p->copies && any_own(r, p->what) && !within_round(r, p))
			disown(r, p->what);
		if (p->copies)
			SET_FOR (it, p->what)
				disown_held(r, pta_slot(r->p, it.x)->obj);
	}
}

Regions *
regions_solve(Distinct *d)
{
	Regions *r = arena_new(d->arena, Regions);

	*r = (Regions){.d = d, .p = d->p, .ir = d->ir, .a = d->arena};
	r->inside = arena_array(r->a, bool, r->p->insts.n);
	r->outside = arena_array(r->a, bool, r->p->insts.n);
	r->made = arena_array(r->a, ThreadId, r->p->objs.n);
	find_workers(r);
	if (set_empty(&r->workers))
		return NULL;
	SET_FOR (it, &r->workers)
		if (!r->inside[r->d->makers[it.x]->inst])
			claim_all(r, it.x);
	find_objects(r);
	if (set_empty(&r->own))
		return NULL;
	note_all(r);
	SET_FOR (it, &r->joined)
		disown_contents(r, it.x);
	do {
		r->changed = false;
		disown_given(r);
		disown_found(r);
		disown_put(r);
	} while (r->changed);
	return set_empty(&r->own) ? NULL : r;
}

bool
regions_own(const Regions *r, ThreadId t, InstId inst, Val addr)
{
	bool any = false;

	if (!r || !set_has(&r->workers, t))
		return false;
	SET_FOR (it, pta_pts(r->p, inst, addr)) {
		const Slot *s = pta_slot(r->p, it.x);
		if (pta_obj(r->p, s->obj)->empty && !s->off)
			continue; /* nothing is there */
		if (!set_has(&r->own, s->obj))
			return false;
		any = true;
	}
	return any;
}

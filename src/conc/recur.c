/* recur.c - see recur.h.
 *
 *	run() { struct job j; init(&j.m); start workers on &j; ...; wait for them; }
 *
 * Whoever calls run again has another j.  But if one thread alone calls it, and never within itself,
 * there is one at a time; and if none that may take j.m is running where run is entered, what happened
 * under the last one's lock has happened before.  A thread that is started later and still finds the last one would use
 * a variable that is gone.
 *
 * Only acquisitions are looked at: in each thread that may do one of such a lock, every entry of the
 * function that has the variable. */
#include "conc/recur.h"

typedef struct Candidate {
	SlotId slot;
	Set at; /* instances that acquire what may be it */
} Candidate;

typedef struct Finder {
	const Entries *e;
	const Threads *t;
	const Pta *p;
	Arena *a;
	Map index; /* SlotId -> index in found plus 1 */
	Vec(Candidate) found;
} Finder;

/* Is it a variable of a function, one in each activation? */
static bool
is_local(Finder *f, SlotId s)
{
	const Slot *slot = pta_slot(f->p, s);
	const Obj *o = pta_obj(f->p, slot->obj);
	const Fn *fn;
	InsId first;

	if (o->kind != OBJ_STACK || !o->inst || slot->stride || threads_single(f->t, slot->obj))
		return false;
	fn = pta_fn(f->p, o->inst);
	first = fn_block(f->p->ir, fn, 1)->ins;
	return o->ins >= first && o->ins < first + fn_block(f->p->ir, fn, 1)->nins;
}

static void
add_acquired(Finder *f, InstId inst, const Set *pts)
{
	SET_FOR (it, pts) {
		u32 *at;
		if (!is_local(f, it.x))
			continue;
		at = map_at(f->a, &f->index, it.x);
		if (!*at) {
			vec_push(f->a, &f->found, (Candidate){.slot = it.x});
			*at = f->found.n;
		}
		set_add(f->a, &f->found.at[*at - 1].at, inst);
	}
}

static void
find_candidates(Finder *f)
{
	const Ir *ir = f->p->ir;

	for (InstId inst = 1; inst < f->p->insts.n; inst++) {
		u32 n;
		const InsId *at = acts_of(&f->t->acts, pta_inst(f->p, inst)->fn, &n);
		for (u32 k = 0; k < n; k++) {
			const Ins *i = ir_ins(ir, at[k]);
			if (i->op == OP_ACQUIRE)
				add_acquired(f, inst, pta_pts(f->p, inst, ins_arg(ir, i, 0)));
		}
	}
}

/* May a call lead from inst back to it? */
static bool
calls_itself(Finder *f, InstId inst)
{
	Set seen = {0};
	VecU32 todo = {0};

	vec_push(f->a, &todo, inst);
	while (todo.n && !set_has(&seen, inst)) {
		const Inst *in = pta_inst(f->p, todo.at[--todo.n]);
		for (u32 k = in->edge; k < in->edge + in->nedge; k++) {
			const Edge *e = &f->p->edges.at[k];
			if (!e->fork && set_add(f->a, &seen, e->to))
				vec_push(f->a, &todo, e->to);
		}
	}
	return set_has(&seen, inst);
}

static bool
meets(const Set *x, const Set *y)
{
	SET_FOR (it, x)
		if (set_has(y, it.x))
			return true;
	return false;
}

/* Is x never running where `maker` enters inst? */
static bool
is_over(const Finder *f, ThreadId maker, InstId inst, ThreadId x)
{
	if (!threads_within(f->t, maker, x))
		return false;
	for (u32 k = 1; k < f->e->at.n; k++) {
		const Entry *e = &f->e->at.at[k];
		if (!e->dead && e->thread == maker && e->inst == inst &&
		    order_runs(f->e->order, maker, e->order, x))
			return false;
	}
	return true;
}

static bool
one_at_a_time(Finder *f, const Candidate *c)
{
	ObjId o = pta_slot(f->p, c->slot)->obj;
	InstId inst = pta_obj(f->p, o)->inst;
	ThreadId maker = set_single(&f->t->of_obj[o]) ? set_first(&f->t->of_obj[o]) : 0;

	if (!maker || !thread_get(f->t, maker)->unique || threads_is_crew(f->t, maker) ||
	    calls_itself(f, inst))
		return false;
	for (ThreadId x = 1; x < f->t->at.n; x++)
		if (x != maker && meets(&c->at, &f->t->insts[x]) &&
		    (thread_get(f->t, x)->crew != x || threads_is_crew(f->t, x) ||
		     !is_over(f, maker, inst, x)))
			return false;
	return true;
}

Set
recur_locks(const Entries *e, Arena *a)
{
	Finder f = {.e = e, .t = e->t, .p = e->t->pta, .a = a};
	Set out = {0};

	if (!e->complete)
		return out;
	find_candidates(&f);
	for (u32 k = 0; k < f.found.n; k++)
		if (one_at_a_time(&f, &f.found.at[k]))
			set_add(a, &out, f.found.at[k].slot);
	return out;
}

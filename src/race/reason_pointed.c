/* reason_pointed.c - locks that are found through one variable.
 *
 *	possess(pool->have); pool->head = p->next; release(pool->have);
 *
 * Both sides load the lock's address from one and the same variable, or from one
 * member of the object that they meet in.  The variable is also stored to while
 * threads run, or is not known not to be, so that the two need not be one lock; but
 * all that it is ever given is made at one place, and by one thread that there is
 * once, which as a rule makes a new one when nobody uses the old one any more.
 * Where the threads themselves make the lock, each may have its own: no reason. */
#include "race/reason_int.h"

/* Is what is stored to the variable, once another thread can see it, stored by one thread? */
static bool
has_one_writer(const Races *r, SlotId variable)
{
	ObjId o = pta_slot(r->pta, variable)->obj;
	ThreadId writer = 0;
	Set shapes = {0};
	bool one = true;

	for (u32 i = 0; i < r->feet_of[o].n; i++) {
		const Foot *f = &r->feet.at[r->feet_of[o].at[i]];
		for (u32 k = 0; f->writes && k < f->ncell; k++)
			if (pta_overlap(r->pta, f->cells[k].slot, f->size, variable,
					r->ir->ptr_bytes))
				set_or(r->arena, &shapes, &f->shapes);
	}
	for (u32 i = 0; one && i < r->conc->accesses.n; i++) {
		const Access *a = access_at(r, i);
		if (!(a->flags & ACC_WRITE) || a->flags & ACC_FRESH ||
		    !set_has(&shapes, r->shape_of[i]))
			continue;
		one = (!writer || writer == a->thread) &&
		      thread_get(r->conc->threads, a->thread)->unique;
		writer = a->thread;
	}
	set_recycle(r->arena, &shapes);
	return one;
}

/* Is the variable only given what one allocation makes, by one thread? */
static bool
names_one_kind(Reasons *rs, SlotId variable)
{
	const Races *r = rs->r;
	u32 *known = map_at(r->arena, &rs->pointed, variable);
	Set held = {0};

	if (!*known) {
		pta_contents(r->pta, variable, r->arena, &held);
		*known = set_single(&held) &&
				 pta_obj(r->pta, pta_slot(r->pta, set_first(&held))->obj)->kind ==
				     OBJ_HEAP &&
				 has_one_writer(r, variable)
			     ? 2
			     : 1;
		set_recycle(r->arena, &held);
	}
	return *known == 2;
}

/* The variable from which the access has the address of a lock: a single one, or the
 * member of what it accesses, if that is o; 0 none. */
static SlotId
variable_of(const Races *r, const Access *a, Val lock, ObjId o)
{
	const Fn *f = pta_fn(r->pta, a->inst);
	SlotId found = 0;
	InsId id;
	const Ins *load = def_of(r->ir, f, lock, &id);
	const Set *cells;

	if (!load || load->op != OP_LOAD)
		return 0;
	cells = pta_pts(r->pta, a->inst, ins_arg(r->ir, load, 0));
	if (set_single(cells) &&
	    threads_single(r->conc->threads, pta_slot(r->pta, set_first(cells))->obj))
		found = set_first(cells);
	else if (root_of(r->ir, f, ins_arg(r->ir, load, 0)) == root_of(r->ir, f, a->addr))
		SET_FOR (it, cells)
			if (pta_slot(r->pta, it.x)->obj == o) {
				if (found)
					return 0;
				found = it.x;
			}
	return found && !pta_slot(r->pta, found)->stride ? found : 0;
}

bool
reason_pointed(Reasons *rs, u32 a, u32 b, ObjId o)
{
	const Races *r = rs->r;
	const Access *x = access_at(r, a), *y = access_at(r, b);
	const HeldLock *of_x, *of_y;
	u32 n = locks_list(r->conc->locks, x->inst, x->held, &of_x);
	u32 m = n ? locks_list(r->conc->locks, y->inst, y->held, &of_y) : 0;

	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < m; k++) {
			SlotId v;
			if (!of_x[i].value || !of_y[k].value || of_x[i].off != of_y[k].off ||
			    (of_x[i].mode == LOCK_READ && of_y[k].mode == LOCK_READ))
				continue;
			v = variable_of(r, x, of_x[i].value, o);
			if (v && v == variable_of(r, y, of_y[k].value, o) && names_one_kind(rs, v))
				return true;
		}
	return false;
}

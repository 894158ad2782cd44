/* reason_reap.c - threads that another one collects.
 *
 *	reaper:	join(t); lock(m); running--; wake(c); unlock(m);
 *	main:	lock(m); while (running) wait(c, m); unlock(m); use(what t has left);
 *
 * Who waits for what is told behind a join waits for the thread that was joined.  Which threads a
 * handle names, and whether the count was right, is not shown, so this is a reason. */
#include "race/reason_int.h"

static void
list_joins(Reasons *rs)
{
	const Races *r = rs->r;
	VecU32 at = {0};

	rs->has_joins = true;
	for (InsId id = 1; id < r->ir->ins.n; id++)
		if (op_at(r, id) == OP_JOIN)
			vec_push(r->arena, &at, id);
	for (InstId inst = 1; at.n && inst < r->pta->insts.n; inst++) {
		const Fn *f = pta_fn(r->pta, inst);
		for (u32 k = 0; k < at.n; k++)
			if (at.at[k] - f->ins < f->nins)
				vec_push(r->arena, &rs->joins, (Point){inst, at.at[k]});
	}
}

/* May the join be of that thread? */
static bool
may_join(const Races *r, Point join, const Thread *x)
{
	SET_FOR (it, pta_pts(r->pta, join.inst, ins_arg(r->ir, ir_ins(r->ir, join.ins), 0))) {
		const Obj *o = pta_obj(r->pta, pta_slot(r->pta, it.x)->obj);
		if (o->kind == OBJ_THREAD && o->ins == x->fork && o->inst == x->fork_inst)
			return true;
	}
	return false;
}

/* Is what comes behind the join waited for before b? */
static bool
join_told(Reasons *rs, Point join, const Facts *b)
{
	const Events *e = events_at(rs, reason_frame(rs, join.inst, join.ins), false);

	for (u32 i = 0; i < b->nframe && (e->sets.n || e->signals.n); i++) {
		const Events *w = events_at(rs, b->frame[i], true);
		if (e->tells & w->waits && (reason_meet(rs->r, &e->sets, &w->spins) ||
					    reason_meet(rs->r, &e->signals, &w->awaits)))
			return true;
	}
	return false;
}

bool
reason_reaped(Reasons *rs, u32 a, u32 b)
{
	const Races *r = rs->r;
	const Threads *t = r->conc->threads;
	const Access *x = access_at(r, a), *y = access_at(r, b);
	const Thread *th = thread_get(t, x->thread);

	if (!rs->has_joins)
		list_joins(rs);
	if (!rs->joins.n || !th->fork || x->thread == y->thread)
		return false;
	for (u32 k = 0; k < rs->joins.n; k++) {
		Point join = rs->joins.at[k];
		if (!set_has(&t->insts[x->thread], join.inst) &&
		    !set_has(&t->insts[y->thread], join.inst) && may_join(r, join, th) &&
		    join_told(rs, join, facts_of(rs, b)))
			return true;
	}
	return false;
}

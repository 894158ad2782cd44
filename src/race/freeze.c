/* freeze.c - what is reached through final fields.
 *
 * The end of a constructor freezes the final fields that it stored: who reads one
 * of them, however it came by the object, also sees what was written before that
 * end to the objects reached through it.  So a store into a final field (of an
 * object that is unpublished throughout its constructor) publishes o in order if
 * all that o's own thread writes to it while it is unpublished comes before the
 * constructor's end, and everybody else only reads it.
 *
 * o's writes are looked at from the instance X that makes o.  A write that can
 * only run below X is placed at the calls of X that lead to it, the constructor
 * likewise; it comes before the end if no path of X leads from the constructor's
 * call to it without making another o.  If X is the constructor, all that runs
 * below it does.  Climbing up calls visits an instance once and at most CLIMB of
 * them; every answer errs to false. */
#include "race/race_int.h"

#include "ir/cfg.h"

enum { CLIMB = 2000, ANSWER_YES = 1, ANSWER_NO = 2 };

typedef Vec(u32) List;

struct Freeze {
	Races *r;
	Map list_of;     /* ObjId -> list, plus 1 */
	Vec(List) lists; /* of each object asked for: its accesses */
	Map answer;      /* (ObjId, InstId) -> ANSWER_* */
};

/* ---- accesses of an object -------------------------------------------------- */

static bool
same_place(const Access *a, const Access *b)
{
	return a->ins == b->ins && a->inst == b->inst && a->flags == b->flags && a->addr == b->addr;
}

static void
index_accesses(struct Freeze *f)
{
	const Races *r = f->r;

	for (u32 k = 0; k < r->conc->accesses.n; k++) {
		const Access *a = access_at(r, k);
		if (!(a->flags & ACC_WRITE) || (k && same_place(a, access_at(r, k - 1))))
			continue;
		SET_FOR (it, pta_pts(r->pta, a->inst, a->addr)) {
			u32 at = map_get(&f->list_of, pta_slot(r->pta, it.x)->obj);
			List *l = at ? &f->lists.at[at - 1] : NULL;
			if (l && !(l->n && l->at[l->n - 1] == k))
				vec_push(r->arena, l, k);
		}
	}
}

struct Freeze *
freeze_new(Races *r, const VecU32 *objs)
{
	struct Freeze *f = arena_new(r->arena, struct Freeze);
	bool any = false;

	*f = (struct Freeze){.r = r};
	for (u32 k = 0; k < r->conc->accesses.n && !any; k++)
		any = access_at(r, k)->flags & ACC_FROZEN;
	for (u32 i = 0; i < objs->n && any; i++) {
		vec_push(r->arena, &f->lists, (List){0});
		map_put(r->arena, &f->list_of, objs->at[i], f->lists.n);
	}
	if (any)
		index_accesses(f);
	return f;
}

/* ---- places in the instance that makes an object ------------------------------ */

/* The calls in `top` that lead to inst; *outside: it also runs elsewhere. */
static void
climb(const Races *r, InstId top, InstId inst, VecU32 *calls, bool *outside)
{
	VecU32 todo = {0};
	Set seen = {0};

	vec_push(r->arena, &todo, inst);
	for (u32 n = 0; n < todo.n; n++) {
		const Inst *at = pta_inst(r->pta, todo.at[n]);
		*outside |= !at->ncaller || n == CLIMB;
		for (u32 k = at->caller; k < at->caller + at->ncaller && n < CLIMB; k++) {
			const Edge *e = &r->pta->edges.at[r->pta->callers.at[k]];
			*outside |= e->fork;
			if (e->from == top)
				vec_push(r->arena, calls, (u32)(e - r->pta->edges.at));
			else if (set_add(r->arena, &seen, e->from))
				vec_push(r->arena, &todo, e->from);
		}
	}
}

/* What a walk through a block meets first from ins on: 1 to, 2 barrier, 0 neither. */
static int
first_of(InsId ins, InsId end, InsId to, InsId barrier)
{
	for (; ins < end; ins++)
		if (ins == to || ins == barrier)
			return ins == to ? 1 : 2;
	return 0;
}

/* May control come from behind `from` to `to` without passing barrier? */
static bool
leads(const Races *r, const Fn *fn, InsId from, InsId to, InsId barrier)
{
	BlockId b = cfg_block_of(r->ir, fn, from);
	InsId start = from + 1;
	VecU32 todo = {0};
	Set seen = {0};

	for (;;) {
		const Block *k = fn_block(r->ir, fn, b);
		int first = first_of(start, k->ins + k->nins, to, barrier);
		if (first == 1)
			return true;
		for (u32 i = 0; i < k->nsucc && !first; i++)
			if (set_add(r->arena, &seen, r->ir->succs.at[k->succ + i]))
				vec_push(r->arena, &todo, r->ir->succs.at[k->succ + i]);
		if (k->exc && set_add(r->arena, &seen, k->exc))
			vec_push(r->arena, &todo, k->exc);
		if (!todo.n)
			return false;
		b = todo.at[--todo.n];
		start = fn_block(r->ir, fn, b)->ins;
	}
}

/* Does the write at `ins` or below call `to` of o's maker come before the end of
 * ctor, which the calls lead to? */
static bool
comes_before(const Races *r, const Obj *o, InstId ctor, const VecU32 *calls, const Edge *to,
	     InsId ins)
{
	const Fn *fn = pta_fn(r->pta, o->inst);

	for (u32 i = 0; i < calls->n; i++) {
		const Edge *e = &r->pta->edges.at[calls->at[i]];
		if (to && to->ins == e->ins && (to->to != ctor || e->to != ctor))
			return false;
		if (leads(r, fn, e->ins, ins, o->ins))
			return false;
	}
	return true;
}

/* ---- the question --------------------------------------------------------------- */

static bool
write_before(const Races *r, const Obj *o, InstId ctor, const VecU32 *calls, const Access *a)
{
	VecU32 to = {0};
	bool outside = false;

	if (a->inst == o->inst)
		return ctor == o->inst || comes_before(r, o, ctor, calls, NULL, a->ins);
	climb(r, o->inst, a->inst, &to, &outside);
	if (outside)
		return false;
	for (u32 i = 0; i < to.n && ctor != o->inst; i++) {
		const Edge *e = &r->pta->edges.at[to.at[i]];
		if (!comes_before(r, o, ctor, calls, e, e->ins))
			return false;
	}
	return true;
}

static bool
find_answer(const struct Freeze *f, ObjId obj, InstId ctor)
{
	const Races *r = f->r;
	const Obj *o = pta_obj(r->pta, obj);
	u32 list = map_get(&f->list_of, obj);
	VecU32 calls = {0};
	bool outside = false;

	if (!list || !o->inst)
		return false;
	climb(r, o->inst, ctor, &calls, &outside);
	for (u32 i = 0; i < f->lists.at[list - 1].n; i++) {
		const Access *a = access_at(r, f->lists.at[list - 1].at[i]);
		if (!(a->flags & ACC_FRESH) || !write_before(r, o, ctor, &calls, a))
			return false;
	}
	return true;
}

bool
freeze_orders(struct Freeze *f, ObjId o, InstId ctor)
{
	u32 *at = map_at(f->r->arena, &f->answer, map_pair(o, ctor));

	if (!*at)
		*at = find_answer(f, o, ctor) ? ANSWER_YES : ANSWER_NO;
	return *at == ANSWER_YES;
}

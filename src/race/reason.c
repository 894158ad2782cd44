/* reason.c - RELAY's six categories of false warnings (Section 4.2), and ours.
 *
 * RELAY's filters are syntactic and delete warnings.  Here each category is
 * decided by a small analysis of the two accesses, and only lowers the rung of
 * a pair that the stages could not exclude.  None of them is sound, and none
 * needs to be. */
#include "race/reason_int.h"

enum { MANY_OBJECTS = 8 }; /* more than this many: the address is mixed up with others */

struct Reasons *
reasons_new(Races *r)
{
	struct Reasons *rs = arena_new(r->arena, Reasons);

	rs->r = r;
	rs->facts = arena_array(r->arena, Facts *, r->conc->accesses.n + 1);
	rs->publishers = arena_array(r->arena, Set *, r->pta->objs.n + 1);
	rs->makers = arena_array(r->arena, Set *, r->pta->objs.n + 1);
	rs->events = arena_array(r->arena, struct FnEvents *, r->ir->fns.n + 1);
	rs->guarded = arena_array(r->arena, u8, r->conc->threads->at.n + 1);
	return rs;
}

Facts *
facts_of(Reasons *rs, u32 access)
{
	Races *r = rs->r;
	const Access *a = access_at(r, access);
	Facts *f = rs->facts[access];
	const Edge **path;
	u32 n;

	if (f)
		return f;
	f = rs->facts[access] = arena_new(r->arena, Facts);
	f->frame[f->nframe++] = (Frame){a->inst, a->ins};
	n = conc_path(r->conc, a->thread, a->inst, r->arena, &path);
	while (n-- && f->nframe < FRAMES)
		f->frame[f->nframe++] = (Frame){path[n]->from, path[n]->ins};
	return f;
}

const Ins *
def_of(const Ir *ir, const Fn *f, Val v, InsId *id)
{
	*id = val_is_reg(v) ? fn_reg(ir, f, v)->def : 0;
	return *id ? ir_ins(ir, *id) : NULL;
}

Val
root_of(const Ir *ir, const Fn *f, Val v)
{
	InsId id;
	const Ins *i;

	while ((i = def_of(ir, f, v, &id)) != NULL &&
	       (i->op == OP_COPY || i->op == OP_FIELD || i->op == OP_INDEX || i->op == OP_CAST))
		v = ins_arg(ir, i, 0);
	return v;
}

/* How many different allocations and variables may the address be of? */
static u32
objects_of(const Races *r, const Access *a)
{
	const Set *pts = pta_pts(r->pta, a->inst, a->addr);
	Set seen = {0};
	u32 n = 0;

	SET_FOR (it, pts) {
		const Obj *o = pta_obj(r->pta, pta_slot(r->pta, it.x)->obj);

		n += set_add(r->arena, &seen, o->ins ? o->ins * 2 : o->ref * 2 + 1);
	}
	set_recycle(r->arena, &seen);
	return n;
}

static bool
is_published(const Races *r, const Meeting *m, ObjId o)
{
	u32 store, load;

	return m->published && publish_refuted_by(r->publish, o, &store, &load) &&
	       flags_conflict(access_at(r, store)->flags, access_at(r, load)->flags);
}

u32
reasons_of(struct Reasons *rs, u32 a, u32 b, const Meeting *m)
{
	Races *r = rs->r;
	const Access *x = access_at(r, a), *y = access_at(r, b);
	ObjId o = pta_slot(r->pta, m->slot_x)->obj;
	const Obj *obj = pta_obj(r->pta, o);
	u32 bits = 0;

#define IF(reason, ...) bits |= (__VA_ARGS__) ? 1u << REASON_##reason : 0
	IF(UNKNOWN, obj->kind == OBJ_EXTERN);
	IF(FOLDED, obj->folded);
	IF(VOLATILE, (x->flags & y->flags & ACC_VOLATILE) && !r->opt->volatile_races);
	IF(PUBLICATION, is_published(r, m, o));
	IF(UNLIKELY_ALIAS, objects_of(r, x) > MANY_OBJECTS || objects_of(r, y) > MANY_OBJECTS);
	IF(CONDITIONAL, reason_conditional(rs, a, b));
	IF(REENTRANT, reason_reentrant(rs, a, b));
	IF(INITIALIZATION, reason_initialization(rs, a, o) || reason_initialization(rs, b, o));
	IF(UNSHARING, reason_unsharing(rs, a) || reason_unsharing(rs, b));
	IF(NON_PARALLEL, reason_non_parallel(rs, a, b));
#undef IF
	return bits;
}

/* room.c - how many places of an object are told apart.
 *
 * Offsets in memory without a type tell little apart where pointers are mixed up, and an object
 * with more than max_slots of them, or one for each member of its type, folds.  A variable of a struct type is
 * another matter: most of the program names its members, and the places that the type has are known
 * beforehand: the beginnings of its members, and of the members of what its arrays hold, for all
 * elements of an array alike.  One that would fold keeps these apart.  Any other place in it is taken for all of it
 * from then on, and what it holds is not told apart (cell_unite): pointers to bytes have gone through it, and what
 * they stored would else be copied to every member.
 *
 * So an object has at most max_slots slots, or two for each member, and the one that is all of it. */
#include "pta/pta_int.h"

enum { MAX_DEPTH = 16 };

static bool
is_record(const Ir *ir, TypeId t)
{
	return t && (ir->types.at[t].kind == TYPE_STRUCT || ir->types.at[t].kind == TYPE_UNION);
}

/* How many members has t, those of its members included?  At most ROOM_TYPE. */
static u32
count_members(const Ir *ir, TypeId t, u32 depth)
{
	const Type *type = &ir->types.at[t];
	u32 n = 1;

	if (!t || depth > MAX_DEPTH)
		return 1;
	if (type->kind == TYPE_ARRAY)
		return count_members(ir, type->elem, depth + 1);
	for (u32 k = 0; is_record(ir, t) && k < type->nmember && n < ROOM_TYPE; k++)
		n += count_members(ir, ir->members.at[type->member + k].type, depth + 1);
	return MIN(n, ROOM_TYPE);
}

/* Has t, which lies at base, the place that x begins at?  step: that of the array in t whose
 * elements x is all of; 0: there is none, or it has been passed. */
static bool
has_place(const Ir *ir, TypeId t, i64 base, const Slot *x, u32 step, u32 depth)
{
	const Type *type = &ir->types.at[t];
	i64 size, in = x->off - base;

	if (in < 0 || depth > MAX_DEPTH)
		return false;
	if (in == 0 && !step)
		return true;
	if (type->kind == TYPE_ARRAY) {
		size = (i64)ir->types.at[type->elem].size;
		if (!size)
			return false;
		if (step && base == x->lo && step == size)
			return has_place(ir, type->elem, x->off - in % size, x, 0, depth + 1);
		return in < size && has_place(ir, type->elem, base, x, step, depth + 1);
	}
	for (u32 k = 0; is_record(ir, t) && k < type->nmember; k++) {
		const Member *m = &ir->members.at[type->member + k];
		size = (i64)ir->types.at[m->type].size;
		if (in >= (i64)m->off && (in < (i64)m->off + size || (step && !size)) &&
		    has_place(ir, m->type, base + (i64)m->off, x, step, depth + 1))
			return true;
	}
	return false;
}

/* Is x a place that o, with elements of type t, size bytes each, has by its type? */
static bool
is_own(const Ir *ir, const Obj *o, TypeId t, u64 size, const Slot *x)
{
	bool every = x->stride == size && o->size != size; /* in all elements of the object */

	if (x->off < 0 || (u64)x->off >= size)
		return false;
	if (x->stride && !x->end && !every)
		return false;
	return has_place(ir, t, 0, x, x->in ? x->in : every ? 0 : x->stride, 0);
}

bool
pta_slot_own(const Pta *p, SlotId slot)
{
	const Slot *x = pta_slot(p, slot);
	const Obj *o = pta_obj(p, x->obj);
	u64 size;
	TypeId t = extent_element(p->ir, o, &size);

	return is_record(p->ir, t) && is_own(p->ir, o, t, size, x);
}

Room
room_for(Solver *s, const Slot *x)
{
	ObjInfo *info = obj_info(s, x->obj);
	const Obj *o = pta_obj(s->p, x->obj);
	u64 size;
	TypeId t;

	if (info->nslot < s->max_slots || info->java || x->stride == 1)
		return ROOM_THERE;
	t = extent_element(s->ir, o, &size);
	if (!info->limit)
		info->limit = MAX(s->max_slots, count_members(s->ir, t, 0));
	if (info->nslot < info->limit && !info->whole)
		return ROOM_THERE;
	if (o->kind != OBJ_GLOBAL || !is_record(s->ir, t) || o->size != size)
		return ROOM_NONE;
	if (info->nslot >= 2 * info->limit || !is_own(s->ir, o, t, size, x))
		return ROOM_ANYWHERE;
	return ROOM_OWN;
}

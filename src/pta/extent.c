/* extent.c - how far an index can go: the array that a place lies in.
 *
 * `c->queue[i]` is one of the queues of c and no other member of it: what is
 * indexed is the array member, not the object.  Which array that is follows
 * from the type of the object, where one is known.  An array that is the last
 * member may go on behind its declared end, and rows of a matrix are not told
 * apart: both are how C is written. */
#include "pta/pta_int.h"

enum { MAX_DEPTH = 16 };

static bool find(const Ir *ir, TypeId t, i64 base, i64 off, u32 stride, bool last, u32 depth,
		 Extent *e);

/* The type of the elements of t, through arrays of arrays. */
static TypeId
element(const Ir *ir, TypeId t)
{
	for (u32 n = 0; n < MAX_DEPTH && ir->types.at[t].kind == TYPE_ARRAY; n++)
		t = ir->types.at[t].elem;
	return t;
}

static bool
find_array(const Ir *ir, TypeId t, i64 base, i64 off, u32 stride, bool last, u32 depth, Extent *e)
{
	const Type *x = &ir->types.at[t];
	TypeId elem = element(ir, t);
	u64 size = ir->types.at[elem].size;

	if (!size)
		return false;
	if (stride % size == 0) {
		e->lo = base;
		e->end = last || !x->size ? INT64_MAX : base + (i64)x->size;
		return true;
	}
	return find(ir, elem, off - (i64)((u64)(off - base) % size), off, stride, false, depth + 1,
		    e);
}

/* The members of a struct or union that off lies in; of a union all that know. */
static bool
find_member(const Ir *ir, TypeId t, i64 base, i64 off, u32 stride, bool last, u32 depth, Extent *e)
{
	const Type *x = &ir->types.at[t];
	Extent one, all = {INT64_MAX, 0};

	for (u32 k = 0; k < x->nmember; k++) {
		const Member *m = &ir->members.at[x->member + k];
		i64 at = base + (i64)m->off;
		bool at_end = last && (k + 1 == x->nmember || x->kind == TYPE_UNION);
		if (off < at || (off >= at + (i64)ir->types.at[m->type].size && !at_end))
			continue;
		if (!find(ir, m->type, at, off, stride, at_end, depth + 1, &one))
			continue;
		all.lo = MIN(all.lo, one.lo);
		all.end = MAX(all.end, one.end);
	}
	*e = all;
	return all.end != 0;
}

static bool
find(const Ir *ir, TypeId t, i64 base, i64 off, u32 stride, bool last, u32 depth, Extent *e)
{
	if (!t || depth > MAX_DEPTH)
		return false;
	switch (ir->types.at[t].kind) {
	case TYPE_ARRAY: return find_array(ir, t, base, off, stride, last, depth, e);
	case TYPE_STRUCT:
	case TYPE_UNION: return find_member(ir, t, base, off, stride, last, depth, e);
	default: return false;
	}
}

TypeId
extent_element(const Ir *ir, const Obj *o, u64 *size)
{
	TypeId t = element(ir, o->type);

	*size = ir->types.at[t].size;
	return *size && *size <= UINT32_MAX ? t : 0;
}

bool
extent_find(const Ir *ir, const Obj *o, i64 off, u32 stride, Extent *e)
{
	u64 size;
	TypeId t = extent_element(ir, o, &size);

	if (!t || off < 0 || stride % size == 0)
		return false;
	return find(ir, t, off - (i64)((u64)off % size), off, stride, true, 0, e);
}

u64
extent_of_member(const Ir *ir, TypeId t, i64 off)
{
	const Type *x = &ir->types.at[t];

	if (!t || (x->kind != TYPE_STRUCT && x->kind != TYPE_UNION))
		return 0;
	for (u32 k = 0; k < x->nmember; k++) {
		const Member *m = &ir->members.at[x->member + k];
		if ((i64)m->off == off && ir->types.at[m->type].kind == TYPE_ARRAY)
			return k + 1 < x->nmember ? ir->types.at[m->type].size : 0;
	}
	return 0;
}

/* nameless.c - structs without a name, known by where they lie.
 *
 * Each unit declares a struct for itself; the declarations of one are merged by
 * content (ir/link_type.c), unless one unit knows less of what its pointers are
 * to.  A name keeps such declarations together; what has none is the type of a
 * member of something that has one, or of a variable, and these places have names.
 * So types without a name that a member of one name, of structs that are one, has,
 * or a global variable, directly or by pointers and arrays, are one.
 *
 * The lattice is that of partitions of the types; a pass over all members unites,
 * and is repeated while it does.  Each time there is one class less, so it ends,
 * after as many passes as nameless structs lie in one another. */
#include "pta/pta_int.h"

typedef struct Nameless {
	const Ir *ir;
	Arena *a;
	TypeId *root; /* [TypeId]: union-find */
	Map places;   /* (owner, member) -> the type there */
	bool changed;
} Nameless;

enum { OF_NUMBER = 0x80000000 }; /* set in keys that are no StrId */

static TypeId
find(const Nameless *x, TypeId t)
{
	while (x->root[t] != t)
		t = x->root[t];
	return t;
}

/* The struct or union without a name that something of type t consists of, or
 * points to; 0 none. */
static TypeId
strip(const Ir *ir, TypeId t)
{
	while (t && (ir->types.at[t].kind == TYPE_ARRAY || ir->types.at[t].kind == TYPE_PTR)) {
		if (ir->types.at[t].elem == t)
			return 0;
		t = ir->types.at[t].elem;
	}
	if (ir->types.at[t].kind != TYPE_STRUCT && ir->types.at[t].kind != TYPE_UNION)
		return 0;
	return ir->types.at[t].name ? 0 : t;
}

static void
put(Nameless *x, u32 owner, u32 member, TypeId t)
{
	u32 *place = map_at(x->a, &x->places, map_pair(owner, member));
	TypeId a, b;

	if (!*place)
		*place = t;
	a = find(x, *place);
	b = find(x, t);
	if (a == b)
		return;
	x->root[MAX(a, b)] = MIN(a, b);
	x->changed = true;
}

static void
put_members(Nameless *x, TypeId t)
{
	const Type *o = &x->ir->types.at[t];
	u32 owner = o->name ? o->name : (u32)OF_NUMBER | find(x, t);

	if (o->kind != TYPE_STRUCT && o->kind != TYPE_UNION)
		return;
	for (u32 k = 0; k < o->nmember; k++) {
		const Member *m = &x->ir->members.at[o->member + k];
		TypeId what = strip(x->ir, m->type);
		if (what)
			put(x, owner, m->name ? m->name : (u32)OF_NUMBER | (u32)m->off, what);
	}
}

const TypeId *
nameless_find(const Ir *ir, Arena *a)
{
	Nameless x = {.ir = ir, .a = a, .root = arena_array(a, TypeId, ir->types.n)};

	for (TypeId t = 0; t < ir->types.n; t++)
		x.root[t] = t;
	for (GlobalId g = 1; g < ir->globals.n; g++) {
		TypeId what = strip(ir, ir->globals.at[g].type);
		if (what)
			put(&x, ir->globals.at[g].name, OF_NUMBER, what);
	}
	do {
		x.changed = false;
		map_clear(&x.places);
		for (TypeId t = 1; t < ir->types.n; t++)
			put_members(&x, t);
	} while (x.changed);
	for (TypeId t = 1; t < ir->types.n; t++)
		x.root[t] = find(&x, t);
	return x.root;
}

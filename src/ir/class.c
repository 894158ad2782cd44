/* class.c - see class.h.
 *
 * The hierarchy is a forest of at most as many classes as the program has;
 * every walk up it is bounded by that number, and walks through interfaces by
 * a depth, so a broken (cyclic) one ends too. */
#include "ir/class.h"

#include <string.h>

enum { IFACE_DEPTH = 32 };

void
class_index(ClassIndex *x, Arena *a, const Ir *ir)
{
	*x = (ClassIndex){.ir = ir};
	for (ClassId c = 1; c < ir->classes.n; c++)
		map_put(a, &x->by_name, ir->classes.at[c].name, c);
}

ClassId
class_of_type(const ClassIndex *x, TypeId t)
{
	if (!t || x->ir->types.at[t].kind != TYPE_CLASS)
		return 0;
	return map_get(&x->by_name, x->ir->types.at[t].name);
}

static bool
within(const Ir *ir, ClassId c, ClassId super, u32 depth)
{
	for (u32 n = 0; c && n < ir->classes.n; n++, c = ir->classes.at[c].super) {
		const Class *k = &ir->classes.at[c];
		if (c == super)
			return true;
		for (u32 i = 0; i < k->niface && depth < IFACE_DEPTH; i++)
			if (within(ir, ir->refs.at[k->iface + i], super, depth + 1))
				return true;
	}
	return false;
}

bool
class_within(const Ir *ir, ClassId c, ClassId super)
{
	return !c || !super || within(ir, c, super, 0);
}

static bool
incomplete(const Ir *ir, ClassId c, u32 depth)
{
	for (u32 n = 0; c && n < ir->classes.n; n++, c = ir->classes.at[c].super) {
		const Class *k = &ir->classes.at[c];
		if (!k->super && !k->unit)
			return true;
		for (u32 i = 0; i < k->niface && depth < IFACE_DEPTH; i++)
			if (incomplete(ir, ir->refs.at[k->iface + i], depth + 1))
				return true;
	}
	return false;
}

static bool
is_called(const Ir *ir, ClassId c, const char *name)
{
	return !strcmp(ir_str(ir, ir->classes.at[c].name), name);
}

static bool
is_array(const Ir *ir, ClassId c)
{
	const char *name = ir_str(ir, ir->classes.at[c].name);
	size_t n = strlen(name);

	return n > 2 && name[n - 1] == ']';
}

/* One that was not found may be one. */
static bool
is_interface(const Ir *ir, ClassId c)
{
	const Class *k = &ir->classes.at[c];

	return k->flags & CLASS_INTERFACE || (!k->unit && !is_array(ir, c));
}

bool
class_may_be(const Ir *ir, ClassId c, ClassId super)
{
	return class_within(ir, c, super) || incomplete(ir, c, 0) ||
	       (is_array(ir, super) && is_called(ir, c, ARRAY_OF_ANY)) ||
	       (is_interface(ir, super) && is_called(ir, c, OBJECT_OF_ANY));
}

u32
class_flags(const Ir *ir, ClassId c)
{
	u32 flags = 0;

	for (u32 n = 0; c && n < ir->classes.n; n++, c = ir->classes.at[c].super)
		flags |= ir->classes.at[c].flags;
	return flags & (CLASS_PLAIN | CLASS_VALUE);
}

/* Does f's name end in ".name"? */
static bool
is_named(const Ir *ir, const Fn *f, StrId name)
{
	u32 len = intern_len(&ir->strs, f->name), n = intern_len(&ir->strs, name);
	const char *s = ir_str(ir, f->name);

	return len > n && s[len - n - 1] == '.' && !memcmp(s + len - n, ir_str(ir, name), n);
}

/* c's own method of that name with a body. */
static FnId
own_method(const Ir *ir, ClassId c, StrId name)
{
	const Class *k = &ir->classes.at[c];

	for (u32 i = 0; i < k->nmethod; i++) {
		FnId f = ir->refs.at[k->method + i];
		if (ir->fns.at[f].nblock && is_named(ir, &ir->fns.at[f], name))
			return f;
	}
	return 0;
}

/* Looks for a default in the interfaces of c and above; *best is of class *in. */
static void
find_default(const Ir *ir, ClassId c, StrId name, u32 depth, FnId *best, ClassId *in)
{
	for (u32 n = 0; c && n < ir->classes.n; n++, c = ir->classes.at[c].super) {
		const Class *k = &ir->classes.at[c];
		for (u32 i = 0; i < k->niface && depth < IFACE_DEPTH; i++) {
			ClassId iface = ir->refs.at[k->iface + i];
			FnId f = own_method(ir, iface, name);
			if (f && (!*best || within(ir, iface, *in, 0))) {
				*best = f;
				*in = iface;
			}
			find_default(ir, iface, name, depth + 1, best, in);
		}
	}
}

FnId
class_method(const Ir *ir, ClassId c, StrId name)
{
	FnId f = 0;
	ClassId at = c, in = 0;

	for (u32 n = 0; at && !f && n < ir->classes.n; n++, at = ir->classes.at[at].super)
		f = own_method(ir, at, name);
	if (!f)
		find_default(ir, c, name, 0, &f, &in);
	return f;
}

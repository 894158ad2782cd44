/* class.c - what a virtual call runs and a checked cast lets pass.
 *
 * The hierarchy is a forest of at most as many classes as the program has;
 * every walk up it is bounded by that number, so a broken (cyclic) one ends
 * too. */
#include "pta/pta_int.h"

#include <string.h>

ClassId
obj_class_of(Solver *s, ObjId o)
{
	const Ir *ir = s->ir;
	const Obj *obj = pta_obj(s->p, o);

	if (!obj->type || ir->types.at[obj->type].kind != TYPE_CLASS)
		return 0;
	if (!s->class_by_name.n)
		for (ClassId c = 1; c < ir->classes.n; c++)
			map_put(s->a, &s->class_by_name, ir->classes.at[c].name, c);
	return map_get(&s->class_by_name, ir->types.at[obj->type].name);
}

/* Is c super, or a class or interface below it?  Depth bounds interface cycles. */
static bool
within(const Ir *ir, ClassId c, ClassId super, u32 depth)
{
	for (u32 n = 0; c && n < ir->classes.n; n++, c = ir->classes.at[c].super) {
		const Class *k = &ir->classes.at[c];
		if (c == super)
			return true;
		for (u32 i = 0; i < k->niface && depth < 32; i++)
			if (within(ir, ir->refs.at[k->iface + i], super, depth + 1))
				return true;
	}
	return false;
}

bool
class_within(const Ir *ir, ClassId c, ClassId super)
{
	/* What is of no known class may be of any. */
	return !c || !super || within(ir, c, super, 0);
}

/* Does f's name end in ".name"? */
static bool
is_named(const Ir *ir, const Fn *f, StrId name)
{
	u32 len = intern_len(&ir->strs, f->name), n = intern_len(&ir->strs, name);
	const char *s = ir_str(ir, f->name);

	return len > n && s[len - n - 1] == '.' && !memcmp(s + len - n, ir_str(ir, name), n);
}

FnId
class_method(const Ir *ir, ClassId c, StrId name)
{
	for (u32 n = 0; c && n < ir->classes.n; n++, c = ir->classes.at[c].super) {
		const Class *k = &ir->classes.at[c];
		for (u32 i = 0; i < k->nmethod; i++) {
			FnId f = ir->refs.at[k->method + i];
			if (is_named(ir, &ir->fns.at[f], name) && ir->fns.at[f].nblock)
				return f;
		}
	}
	return 0;
}

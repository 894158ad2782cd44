/* class.c - the class of an abstract object, and what it makes of a call. */
#include "pta/pta_int.h"

ClassId
class_of_alloc(Solver *s, TypeId t)
{
	if (!s->classes.ir)
		class_index(&s->classes, s->a, s->ir);
	return class_of_type(&s->classes, t);
}

ClassId
obj_class_of(Solver *s, ObjId o)
{
	return class_of_alloc(s, pta_obj(s->p, o)->type);
}

bool
obj_is_plain(Solver *s, ObjId o)
{
	return s->ir->classes.at[obj_class_of(s, o)].flags & CLASS_PLAIN;
}

bool
obj_within(Solver *s, ObjId o, ClassId super)
{
	ClassId c = obj_class_of(s, o);
	u32 *known = map_at(s->a, &s->within, map_pair(c, super));

	if (!*known)
		*known = class_may_be(s->ir, c, super) ? 1 : 2;
	return *known == 1;
}

bool
obj_has(Solver *s, ObjId o, FieldId f)
{
	ClassId c = s->ir->fields.at[f].class;

	/* The class of what all arrays have, and those that were not found, are above
	 * no other. */
	return !s->ir->classes.at[c].super || obj_within(s, o, c);
}

FnId
obj_method(Solver *s, ClassId c, StrId name)
{
	u32 *known = map_at(s->a, &s->method, map_pair(c, name));

	if (!*known)
		*known = class_method(s->ir, c, name) + 1;
	return *known - 1;
}

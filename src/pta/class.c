/* class.c - the class of an abstract object. */
#include "pta/pta_int.h"

ClassId
obj_class_of(Solver *s, ObjId o)
{
	if (!s->classes.ir)
		class_index(&s->classes, s->a, s->ir);
	return class_of_type(&s->classes, pta_obj(s->p, o)->type);
}

/* limit.c - nodes that hold objects of a class only.
 *
 * A node may have a limit, a class T: a constraint x -> y with a limited y reads
 * pts(y) contains pts(x) without the objects that are not of y's class.  An object
 * of unknown class passes.  There is a limit where the machine itself has one:
 *
 *	the result of a cast;
 *	the elements of an array.  Every store to an array of references is checked
 *	against the class of the array itself, also that of a block copy: an array
 *	of T holds nothing but T, whatever the program calls it.  Where all lists of a
 *	program copy their arrays into each other this is what keeps apart what
 *	comes out of them.  Arrays of numbers hold no references, and those of no
 *	elements nothing: lists share one until they get their first element.
 *
 * The lattice is that of pta_int.h.  Each limit keeps the slots that pass as a set,
 * of which an intersection is as cheap as an inclusion; it learns of new objects
 * when it is asked, each once.  Objects are finitely many, so this ends. */
#include "pta/pta_int.h"

#include <string.h>

static const char *
class_name(const Solver *s, ClassId c)
{
	return ir_str(s->ir, s->ir->classes.at[c].name);
}

ClassId
element_class(Solver *s, TypeId t, ElementKind *kind)
{
	const char *name = t ? ir_str(s->ir, s->ir->types.at[t].name) : "";
	size_t n = strlen(name);
	StrId id;
	ClassId c;

	*kind = ELEMENTS_NONE;
	if (n <= 2 || name[n - 1] != ']')
		return 0;
	*kind = ELEMENTS_REFS;
	if (!strcmp(name, ARRAY_OF_ANY))
		return 0;
	id = intern_find(&s->ir->strs, name, n - 2);
	(void)class_of_alloc(s, 0); /* indexes the classes */
	c = id ? map_get(&s->classes.by_name, id) : 0;
	if (!c && name[n - 3] != ']') /* every class that arrays are of is there */
		*kind = ELEMENTS_NUMBERS;
	return c;
}

u16
limit_of(Solver *s, ClassId c)
{
	u32 *known;

	if (!c)
		return 0;
	known = map_at(s->a, &s->limit_of, c);
	if (!*known && s->limit.n < UINT16_MAX) {
		*known = s->limit.n;
		vec_push(s->a, &s->limit, (Limit){.class = c, .next = 1});
	}
	return (u16)*known;
}

const Set *
limit_pass(Solver *s, u16 limit)
{
	Limit *l = &s->limit.at[limit];

	if (!l->within)
		l->within = arena_array(s->a, u8, s->ir->classes.n);
	for (; l->next < s->p->objs.n; l->next++) {
		ClassId c = obj_class_of(s, l->next);
		if (!l->within[c])
			l->within[c] = class_may_be(s->ir, c, l->class) ? 1 : 2;
		if (l->within[c] == 1)
			set_add(s->a, &l->pass, obj_info(s, l->next)->base);
	}
	return &l->pass;
}

void
element_init(Solver *s, ObjInfo *info, const Obj *o)
{
	ElementKind kind = ELEMENTS_NONE;
	ClassId c = info->java ? element_class(s, o->type, &kind) : 0;

	/* An allocation by a model says no size. */
	if (kind && o->size == ARRAY_HEADER && o->ins && ir_ins(s->ir, o->ins)->narg)
		kind = ELEMENTS_EMPTY;
	info->elements = (u8)kind;
	/* What an array of arrays holds is left to the class of those; an object of
	 * the class above all is any. */
	if (c && s->ir->classes.at[c].super && !strchr(class_name(s, c), '['))
		info->limit_in = limit_of(s, c);
}

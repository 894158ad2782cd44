/* escape.c - what unknown code may do with Java objects that it knows.
 *
 * Unknown code knows the objects that it was given, and what it can reach from
 * them.  It may load and store their fields, but within the rules of the
 * language:
 *
 *	a field, or an element of an array, only ever holds objects of its declared
 *	class.  For classes the verifier sees to that, and native code that breaks it
 *	breaks the machine; for interfaces compilers do.  So what unknown code may
 *	have stored in a field of class T is what it knows, filtered by T;
 *	bytecode names only fields that its package may name: public and protected
 *	ones, and those of its own package.  Native code names all of them, so this
 *	holds only if the program calls no native method that nobody knows.
 *
 * An object of which not even the class is known (OBJ_EXTERN) has every field: what
 * is stored there is known, what is loaded is filtered likewise.
 *
 * The lattice is that of pta_int.h.  For each class T that is asked for there is
 * one more node, with pts(node) the filter of what unknown code knows by T; it is
 * the `out` of each cell of class T that unknown code may store to.  There are at
 * most as many as classes, so solving ends as before. */
#include "pta/pta_int.h"

#include <string.h>

enum { ACC_PUBLIC = 1, ACC_PROTECTED = 4, ACC_PRIVATE = 2 };
enum { TOUCH_YES = 1, TOUCH_NO };

/* The length of the package in the name of a class, with n bytes. */
static size_t
package_length(const char *name, size_t n)
{
	while (n && name[n - 1] != '.')
		n--;
	return n;
}

/* Looks for unknown code: is some of it native, in which packages is the rest? */
void
escape_init(Solver *s)
{
	const Ir *ir = s->ir;
	Map native = {0};

	(void)class_of_alloc(s, 0); /* indexes the classes */
	if (ir->classes.n < 2)
		return;
	for (FnId f = 1; f < ir->fns.n; f++)
		if (ir->fns.at[f].flags & FN_NATIVE)
			map_put(s->a, &native, ir->fns.at[f].name, 1);
	for (InsId k = 1; k < ir->ins.n; k++) {
		const Ins *i = ir_ins(ir, k);
		const char *name, *paren;
		if (i->op != OP_EXTERN || !set_add(s->a, &s->unknown_names, i->aux))
			continue;
		name = ir_str(ir, i->aux);
		paren = strchr(name, '(');
		s->native |= !paren || map_get(&native, i->aux);
		if (!paren)
			continue;
		size_t n = package_length(name, (size_t)(paren - name));
		n = n ? package_length(name, n - 1) : 0;
		set_add(s->a, &s->packages, intern_bytes(&s->package, name, n));
	}
}

bool
escape_names(Solver *s, FieldId f)
{
	const Field *x = &s->ir->fields.at[f];
	const char *class;
	u32 *known;

	if (s->native || x->flags & (ACC_PUBLIC | ACC_PROTECTED))
		return true;
	if (x->flags & ACC_PRIVATE)
		return false;
	known = map_at(s->a, &s->touched, f);
	if (!*known) {
		class = ir_str(s->ir, s->ir->classes.at[x->class].name);
		*known = intern_find(&s->package, class, package_length(class, strlen(class)))
			     ? TOUCH_YES
			     : TOUCH_NO;
	}
	return *known == TOUCH_YES;
}

/* The field that a slot of a Java object is; 0 for an element, or all of it. */
static FieldId
field_of(const Solver *s, const Slot *x)
{
	bool one = !x->stride && x->off > 0 && x->off < (i64)s->ir->fields.n;

	return one ? (FieldId)x->off : 0;
}

bool
escape_touches(Solver *s, SlotId slot)
{
	Slot x = s->p->slots.at[slot];
	FieldId f = obj_info(s, x.obj)->java ? field_of(s, &x) : 0;

	if (!f || x.obj == s->ext || escape_names(s, f))
		return true;
	s->p->named = true;
	return false;
}

/* What unknown code knows of class c. */
static NodeId
known_of(Solver *s, ClassId c)
{
	u32 *node = map_at(s->a, &s->known_of, c);
	NodeId x = *node;

	if (!x) {
		x = *node = node_new(s);
		node_filter(s, s->known_out, x, c);
	}
	return x;
}

NodeId
escape_field(Solver *s, FieldId f)
{
	ClassId c = class_of_alloc(s, s->ir->fields.at[f].type);

	return c ? known_of(s, c) : s->known_out;
}

NodeId
escape_out(Solver *s, SlotId slot)
{
	Slot x = s->p->slots.at[slot];
	FieldId f = field_of(s, &x);
	ElementKind kind;
	ClassId c;

	if (!obj_info(s, x.obj)->java)
		return s->known_out;
	c = f ? class_of_alloc(s, s->ir->fields.at[f].type)
	      : element_class(s, pta_obj(s->p, x.obj)->type, &kind);
	return c ? known_of(s, c) : s->known_out;
}

const Set *
escape_contents(const Solver *s, const Slot *x)
{
	FieldId f = obj_info(s, x->obj)->java ? field_of(s, x) : 0;
	ClassId c = f ? class_of_type(&s->classes, s->ir->fields.at[f].type) : 0;
	NodeId node = c ? map_get(&s->known_of, c) : 0;

	return &s->node.at[node_find(s, node ? node : s->known_out)].known;
}

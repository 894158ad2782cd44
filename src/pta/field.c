/* field.c - the fields of Java objects, where they are not told apart by object.
 *
 * Without contexts a method runs once for all objects of its class, and what it
 * stores in `this.f` is stored in each of them: their fields f hold the same but for
 * what is stored past the methods of the class.  A node for each object and field is then a
 * cost without a use, and it is what large programs cannot pay: thousands of
 * expressions, each with all the others in its operands.
 *
 * So there is one node for each field: pts(node(f)) contains whatever is stored in the field
 * f of any object, and is what a load of f may give.  It contains every pts(in(o, f)) of
 * pta_int.h, so nothing is lost.  Which objects an access may touch is still known:
 * its address is a set of slots, (object, field), as ever.  Elements of arrays are
 * told apart by array.
 *
 * Unknown code that knows an object o loads and stores those fields of o that it may
 * name (escape.c): these are exposed, in all objects.  A copy of o has what o has, and no more
 * needs to be said of it. */
#include "pta/pta_int.h"

void
field_init(Solver *s)
{
	s->field = arena_array(s->a, NodeId, s->ir->fields.n);
	s->exposed = arena_array(s->a, bool, s->ir->fields.n);
	s->p->by_field = true;
}

FieldId
field_shared(const Solver *s, const Slot *x)
{
	bool one = s->field && !x->stride && x->off > 0 && x->off < (i64)s->ir->fields.n;

	return one && obj_info(s, x->obj)->java ? (FieldId)x->off : 0;
}

NodeId
field_node(Solver *s, FieldId f)
{
	if (!s->field[f])
		s->field[f] = node_new(s);
	return s->field[f];
}

void
field_expose(Solver *s, FieldId f)
{
	NodeId x;

	if (s->exposed[f])
		return;
	s->exposed[f] = true;
	if (!escape_names(s, f))
		return;
	x = field_node(s, f);
	node_edge(s, x, s->known_out);
	node_edge(s, escape_field(s, f), x);
}

/* The fields that the classes from c up declare. */
static void
expose_class(Solver *s, ClassId c)
{
	for (u32 n = 0; c && n < s->ir->classes.n; n++, c = s->ir->classes.at[c].super) {
		const Class *k = &s->ir->classes.at[c];
		for (u32 i = 0; i < k->nfield; i++)
			field_expose(s, k->field + i);
	}
}

void
field_escape(Solver *s, ObjId o)
{
	if (!s->field || !obj_info(s, o)->java)
		return;
	expose_class(s, pta_obj(s->p, o)->kind == OBJ_CLASS ? pta_obj(s->p, o)->ref
							    : obj_class_of(s, o));
	for (SlotId i = obj_info(s, o)->slot; i; i = s->slot_next.at[i]) {
		FieldId f = field_shared(s, &s->p->slots.at[i]);
		if (f)
			field_expose(s, f);
	}
}

const Set *
field_contents(const Solver *s, const Slot *x)
{
	FieldId f = field_shared(s, x);

	if (!f)
		return NULL;
	return s->field[f] ? &s->node.at[node_find(s, s->field[f])].known : &s->none;
}

void
field_parts(const Solver *s, ObjId o, Arena *a, Set *out)
{
	ClassId c = s->field ? class_of_type(&s->classes, pta_obj(s->p, o)->type) : 0;

	for (SlotId i = s->field ? obj_info(s, o)->slot : 0; i; i = s->slot_next.at[i]) {
		FieldId f = field_shared(s, &s->p->slots.at[i]);
		if (f && s->field[f])
			set_add(a, out, node_find(s, s->field[f]));
	}
	for (u32 n = 0; c && n < s->ir->classes.n; n++, c = s->ir->classes.at[c].super) {
		const Class *k = &s->ir->classes.at[c];
		for (FieldId f = k->field; f < k->field + k->nfield; f++)
			if (s->field[f] && obj_info(s, o)->java)
				set_add(a, out, node_find(s, s->field[f]));
	}
}

/* meet.c - what a constraint makes of slots.
 *
 * Slots are met one by one, but for shifts, loads and stores of many: many pointers hold the
 * same places, so four times in five a constraint that differs only in its register has
 * met the same set before (met.c). */
#include "pta/pta_int.h"

enum { FEW_WORDS = 2 }; /* of a set whose slots are looked at one by one */

/* Calls, joins and escapes: what the slot's object is decides. */
static void
meet_object(Solver *s, Con c, ObjId obj)
{
	Obj o = s->p->objs.at[obj];

	switch (c.kind) {
	case CON_CALL:
		if (o.kind == OBJ_FN)
			call_through(s, c.to, o.ref);
		else if (o.kind == OBJ_EXTERN)
			call_unknown_through(s, c.to);
		break;
	case CON_JOIN:
		if (o.kind == OBJ_THREAD)
			node_edge(s, obj_info(s, obj)->result, c.to);
		else if (o.kind == OBJ_EXTERN)
			node_edge(s, s->known_out, c.to);
		break;
	case CON_ESCAPE:
		if (o.kind == OBJ_FN)
			call_back(s, o.ref);
		else
			cell_escape(s, obj);
		break;
	default: assert(!"a constraint on objects");
	}
}

static bool
is_access(Con c)
{
	return c.kind == CON_LOAD || c.kind == CON_NUMBER || c.kind == CON_STORE;
}

/* The node of the cell that c loads from, or stores to, at the slot; 0: there is none. */
static NodeId
place(Solver *s, Con c, SlotId slot)
{
	if (c.kind == CON_STORE)
		return cell_in(s, slot, c.arg, c.number);
	return c.kind == CON_LOAD ? cell_out(s, slot, c.arg) : cell_number(s, slot, c.arg);
}

/* What flows between the register of c and x, a cell that it loads from or stores to. */
static void
follow(Solver *s, Con c, NodeId x)
{
	NodeId from = c.kind == CON_STORE ? c.to : x, to = c.kind == CON_STORE ? x : c.to;

	if (s->unify)
		crowd_unify(s, from, to);
	else
		node_edge(s, from, to);
}

/* A clone of the slot's object, which has memory. */
static void
give_like(Solver *s, Con c, SlotId slot)
{
	ObjId o = pta_slot(s->p, slot)->obj;
	const Obj *like = pta_obj(s->p, o);

	if (like->kind != OBJ_FN && !pta_is_thread(like))
		node_give(s, c.to, obj_info(s, obj_like(s, c, o))->base);
}

static SlotId
shifted(Solver *s, Con c, SlotId slot)
{
	return c.index ? slot_index(s, slot, c.arg, c.len) : slot_shift(s, slot, c.off, c.arg);
}

static void
meet_slot(Solver *s, Con c, SlotId slot)
{
	NodeId to = c.to;

	switch (c.kind) {
	case CON_SHIFT:
		if (c.type && !typed_fits(s, slot, c.type))
			break;
		node_give(s, to, shifted(s, c, slot));
		break;
	case CON_ALIGN: node_give(s, to, slot_align(s, slot, c.off)); break;
	case CON_TAG: node_give(s, to, slot_tag(s, slot, c.off)); break;
	case CON_MEMBER:
		if (obj_has(s, pta_slot(s->p, slot)->obj, c.arg))
			node_give(s, to, slot_member(s, slot, c.arg));
		break;
	case CON_LIKE: give_like(s, c, slot); break;
	case CON_LOAD:
	case CON_NUMBER:
	case CON_STORE: follow(s, c, place(s, c, slot)); break;
	case CON_DISPATCH: call_dispatch(s, to, slot); break;
	case CON_RECEIVE: call_on(s, to, c.arg, slot); break;
	case CON_COPY_FROM: cell_copy(s, slot, obj_info(s, to)->base, c.arg); break;
	case CON_COPY_TO: cell_copy(s, obj_info(s, to)->base, slot, c.arg); break;
	default: meet_object(s, c, pta_slot(s->p, slot)->obj);
	}
}

/* The same, where fields are not told apart by object: one slot of each field says it
 * all, unless unknown code knows the object. */
static bool
seen_field(const Solver *s, Con c, SlotId slot, FieldId *last)
{
	const Slot *x = pta_slot(s->p, slot);
	FieldId f;

	if (!s->field || !is_access(c))
		return false;
	f = obj_info(s, x->obj)->escaped ? 0 : field_shared(s, x);
	if (f && f == *last)
		return true;
	*last = f;
	return false;
}

/* The class that a slot's object must be of for c to say anything of it; 0 any. */
static ClassId
class_asked(const Solver *s, Con c)
{
	const Ins *i;
	FnId named;

	if (!s->java || (c.kind != CON_MEMBER && c.kind != CON_DISPATCH))
		return 0;
	if (c.kind == CON_MEMBER) /* see obj_has */
		return s->ir->classes.at[s->ir->fields.at[c.arg].class].super
			   ? s->ir->fields.at[c.arg].class
			   : 0;
	i = ir_ins(s->ir, s->site.at[c.to].ins);
	named = call_named(s->ir, i, s->site.at[c.to].first - 1);
	return named ? s->ir->fns.at[named].class : 0;
}

static void
meet_each(Solver *s, Con c, const Set *set)
{
	FieldId last = 0;

	SET_FOR (it, set) {
		if (arena_exceeded(s->a))
			return;
		if (!seen_field(s, c, it.x, &last))
			meet_slot(s, c, it.x);
	}
}

/* Lists the nodes of the cells that c loads from or stores to, each once. */
static void
list_places(Solver *s, Con c, const Set *set, VecU32 *places)
{
	Set seen = {0};

	for (SetIter it = set_iter(set); !arena_exceeded(s->a) && set_next(&it);) {
		NodeId x = place(s, c, it.x);
		if (x && set_add(s->a, &seen, node_find(s, x)))
			vec_push(s->a, places, x);
	}
	set_recycle(s->a, &seen);
}

/* The same for a load or store of many slots, but not as many as a bundle has. */
static void
meet_places(Solver *s, Con c, const Set *set)
{
	Met *m;

	if (!met_before(s, &c, set, &m))
		list_places(s, c, set, &m->places);
	for (u32 k = 0; k < m->places.n; k++)
		follow(s, c, m->places.at[k]);
}

/* The same, for all loads or stores of these slots at once where they are many. */
static void
meet_bundle(Solver *s, Con c, const Set *set)
{
	Con all = c;
	NodeId node;

	if (bundle_find(s, &c, set, &node)) {
		all.to = node;
		meet_each(s, all, set);
	}
	if (!node)
		meet_each(s, c, set);
	else
		follow(s, c, node);
}

/* What a shift, or places in structs, makes of the slots of its type. */
static void
make_all(Solver *s, Con c, const Set *set, Set *got)
{
	Set pass = {0};

	if (c.type) {
		set_copy(s->a, &pass, set);
		typed_filter(s, &pass, c.type);
		set = &pass;
	}
	for (SetIter it = set_iter(set); !arena_exceeded(s->a) && set_next(&it);)
		if (c.kind == CON_PLACES)
			typed_places(s, it.x, c.type, c.off, got);
		else
			set_add(s->a, got, shifted(s, c, it.x));
	set_recycle(s->a, &pass);
}

/* The same for many slots: what comes of them is handed on at once. */
static void
meet_made(Solver *s, Con c, const Set *set)
{
	Set once = {0}, *got = &once;
	Met *m;

	if (s->java || c.kind == CON_PLACES) { /* of which there is one of a kind */
		make_all(s, c, set, got);
	} else {
		if (!met_before(s, &c, set, &m))
			make_all(s, c, set, &m->got);
		got = &m->got;
	}
	if (c.to)
		node_hand(s, node_find(s, c.to), got);
	set_recycle(s->a, &once);
}

/* The same for any other constraint.  Of many slots those that it says nothing of are left out
 * at once. */
static void
meet_any(Solver *s, Con c, const Set *set, bool many)
{
	bool call = many && c.kind == CON_CALL;
	u16 limit = many ? limit_of(s, class_asked(s, c)) : 0;
	Set pass = {0};

	if (limit || call) {
		set_copy(s->a, &pass, set);
		set_and(&pass, limit ? limit_pass(s, limit) : &s->code);
		set = &pass;
	}
	meet_bundle(s, c, set);
	set_recycle(s->a, &pass);
}

void
con_meet(Solver *s, Con c, const Set *set)
{
	bool many = set->n > FEW_WORDS;

	if (set_empty(set))
		return;
	if (c.kind == CON_PLACES || (many && c.kind == CON_SHIFT))
		meet_made(s, c, set);
	else if (many && !s->java && is_access(c) && !bundle_may(set))
		meet_places(s, c, set);
	else
		meet_any(s, c, set, many);
}

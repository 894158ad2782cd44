/* crowd.c - pointers that may point to almost anything.
 *
 * In a large C program whatever passes through generic containers may come
 * out of any of them: tens of thousands of registers with the same thousands of
 * places, at a cost of their product.  A node whose set outgrows the limit
 * therefore joins the crowd: one node, which stands for all of them.  Between
 * steps, with C the crowd:
 *
 *	whatever C flows to is C: it has no successors (crowd_spread);
 *	an object with memory that C may point to is crowded: C points anywhere in
 *	it, so all that is stored in it is in C, and its loads may give C;
 *	narrow stores through C are one node, `parts`, which flows to C.
 *
 * So a load or store through C concerns all crowded objects by being merged
 * with C, once (crowd_meet), and is looked at slot by slot only for the few
 * objects that cannot be crowded (crowd_open).  Who knows a crowded object's address
 * exactly still does.  That is unification (Steensgaard 1996), for the
 * part of the program where inclusion no longer tells anything apart.  It only
 * ever adds, and each node and object joins once.
 *
 * Where that is still too much (PtaOptions.unify), memory is unified in all of the
 * program: what a pointer loads, or stores, and what is in the places that it may
 * point to is one node (crowd_unify); only registers that are copied to each
 * other keep the direction (as in Das 2000).  Each load then costs a
 * merge, not an edge for each place.  The crowd begins at fewer places, too.
 * A merge makes equal what need only be contained, so the result
 * contains that of inclusion: nothing is excluded by it that inclusion keeps, and
 * a set with one place, or an exact one, has that by inclusion or is empty. */
#include "pta/pta_int.h"

bool
crowd_is(const Solver *s, NodeId x)
{
	return s->crowd && node_find(s, x) == s->crowd; /* it absorbs, and never is */
}

void
crowd_unify(Solver *s, NodeId x, NodeId y)
{
	NodeId known = node_find(s, s->known_out);

	if (!x || !y)
		return;
	x = node_find(s, x);
	y = node_find(s, y);
	/* Unknown code would get to know what is only stored where it might look. */
	if (s->node.at[x].fixed || s->node.at[y].fixed || x == known || y == known)
		node_edge(s, x, y);
	else
		node_merge(s, x, y);
}

/* The first of the crowd: what it knows is looked at again. */
static void
start(Solver *s, NodeId x)
{
	Node *n;

	s->p->crowded = true;
	s->policy.in_vain |= s->policy.pays != 0;
	s->parts = node_new(s);
	s->crowd = node_find(s, x);
	n = &s->node.at[s->crowd];
	set_or(s->a, &n->fresh, &n->known);
	set_recycle(s->a, &n->known);
	node_edge(s, s->parts, s->crowd);
}

NodeId
crowd_join(Solver *s, NodeId x)
{
	if (!s->crowd)
		start(s, x);
	return s->crowd = node_merge(s, s->crowd, x);
}

/* Makes o a crowded object.  Its places stay apart for those who know them. */
static void
absorb(Solver *s, ObjId o)
{
	SlotId any = slot_get(s, o, 0, 1);

	obj_info(s, o)->crowded = true;
	obj_info(s, o)->any = any;
	for (SlotId i = obj_info(s, o)->slot; i; i = s->slot_next.at[i])
		set_del(&s->crowd_open, i);
	crowd_join(s, cell_in(s, any, 0, false));
	crowd_join(s, cell_out(s, any, 0));
	s->parts = node_merge(s, s->parts, cell_in(s, any, 1, true));
	s->parts = node_merge(s, s->parts, cell_number(s, any, 1));
	if (pta_obj(s->p, o)->kind != OBJ_NONE) /* no pointer points into a buffer */
		node_give(s, s->crowd, any);
}

static bool
can_absorb(const Solver *s, ObjId o)
{
	const Obj *obj = pta_obj(s->p, o);
	const ObjInfo *info = obj_info(s, o);

	if (info->crowded || info->escaped || info->java || info->flat)
		return false;
	return obj->kind == OBJ_HEAP || obj->kind == OBJ_STACK || obj->kind == OBJ_NONE ||
	       obj->kind == OBJ_GLOBAL;
}

void
crowd_absorb(Solver *s, Set *set)
{
	Set all = {0};

	SET_FOR (it, set)
		if (can_absorb(s, pta_slot(s->p, it.x)->obj))
			absorb(s, pta_slot(s->p, it.x)->obj);
	SET_FOR (it, set) {
		const ObjInfo *info = obj_info(s, pta_slot(s->p, it.x)->obj);
		set_add(s->a, &all, info->crowded ? info->any : it.x);
	}
	set_recycle(s->a, set);
	*set = all;
}

/* The members at off of all structs of type t in crowded objects. */
static NodeId
members(Solver *s, TypeId t, i64 off)
{
	u32 *node = map_at(s->a, &s->places, map_pair(t, (u32)off));
	NodeId x = *node;

	if (!x) {
		x = *node = node_new(s);
		node_con(s, s->crowd, (Con){.kind = CON_PLACES, .type = t, .off = off, .to = x});
	}
	return x;
}

/* What c means for all crowded objects, as one of the crowd's constraints. */
static void
meet_all(Solver *s, Con c)
{
	switch (c.kind) {
	case CON_SHIFT:
		node_edge(s, c.type && !c.arg ? members(s, c.type, c.off) : s->crowd, c.to);
		break;
	case CON_ALIGN:
	case CON_TAG:
	case CON_LOAD: node_edge(s, s->crowd, c.to); break;
	case CON_STORE:
		node_edge(s, c.to,
			  c.number || (c.arg && c.arg < s->ir->ptr_bytes) ? s->parts : s->crowd);
		break;
	case CON_NUMBER: node_edge(s, s->parts, c.to); break;
	case CON_COPY_FROM:
	case CON_COPY_TO:
		if (can_absorb(s, c.to))
			absorb(s, c.to);
		break;
	}
}

bool
crowd_meet(Solver *s, ConId id)
{
	Con c = s->con.at[id];

	s->con.at[id].all = true;
	if (!c.all)
		meet_all(s, c);
	return c.kind == CON_SHIFT || c.kind == CON_ALIGN || c.kind == CON_TAG ||
	       c.kind == CON_LOAD || c.kind == CON_STORE || c.kind == CON_NUMBER ||
	       c.kind == CON_COPY_FROM || c.kind == CON_COPY_TO;
}

void
crowd_sort(Solver *s)
{
	ConId c = s->crowd_last ? s->con.at[s->crowd_last].next : s->node.at[s->crowd].con;

	/* What it meets may add constraints behind it. */
	for (; c; c = s->con.at[c].next) {
		vec_push(s->a, crowd_meet(s, c) ? &s->crowd_some : &s->crowd_all, c);
		s->crowd_last = c;
	}
}

void
crowd_learn(Solver *s, const Set *set)
{
	set_or(s->a, &s->node.at[s->crowd].known, set);
	SET_FOR (it, set) {
		ObjId o = pta_slot(s->p, it.x)->obj;
		const Obj *obj = pta_obj(s->p, o);
		if (obj->kind != OBJ_FN && !pta_is_thread(obj) && !obj_info(s, o)->crowded)
			set_add(s->a, &s->crowd_open, it.x);
	}
}

void
crowd_rest(Solver *s, const Set *set, Set *rest)
{
	set_copy(s->a, rest, &s->crowd_open);
	set_and(rest, set);
}

bool
crowd_spread(Solver *s)
{
	NodeId x = s->crowd ? node_find(s, s->crowd) : 0;
	Set succ;

	if (!x || set_empty(&s->node.at[x].succ))
		return false;
	succ = s->node.at[x].succ;
	s->node.at[x].succ = (Set){0};
	SET_FOR (it, &succ)
		crowd_join(s, it.x);
	set_recycle(s->a, &succ);
	return true;
}

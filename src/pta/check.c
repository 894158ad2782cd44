/* check.c - asserts that what was solved is a solution.
 *
 * Independent of the order in which solve_run came to it: looks at every node,
 * edge, constraint and cell once more.  Quadratic in the cells of an object;
 * for tests and the hard variant. */
#include "pta/pta_int.h"

static const Set *
value(const Solver *s, NodeId x)
{
	return &s->node.at[node_find(s, x)].known;
}

/* Does x hold what y has?  The crowd knows its objects by one slot each. */
static bool
holds(const Solver *s, NodeId x, const Set *y)
{
	if (s->node.at[node_find(s, x)].loose)
		return true;
	if (!crowd_is(s, x) && !s->node.at[node_find(s, x)].limit)
		return set_within(y, value(s, x));
	SET_FOR (it, y) {
		const ObjInfo *info = obj_info(s, s->p->slots.at[it.x].obj);
		u16 limit = s->node.at[node_find(s, x)].limit;
		if (limit && !set_has(&s->limit.at[limit].pass, it.x))
			continue;
		if (!set_has(value(s, x), info->crowded ? info->any : it.x))
			return false;
	}
	return true;
}

static void
check_node(const Solver *s, NodeId x)
{
	const Node *n = &s->node.at[x];

	assert(set_empty(&n->fresh));
	SET_FOR (it, &n->succ)
		assert(holds(s, it.x, &n->known));
	SET_FOR (it, &n->known)
		assert(it.x && it.x < s->p->slots.n);
}

static void
check_slot(const Solver *s, SlotId i)
{
	Slot x = s->p->slots.at[i];

	assert(x.obj && x.obj < s->p->objs.n);
	assert(!x.stride || (x.off >= 0 && x.off < (i64)x.lo + (x.in ? x.in : x.stride)));
	assert(!x.end || (x.stride && x.off >= x.lo && x.off < x.end));
	assert(!pta_obj(s->p, x.obj)->folded || x.stride == 1);
	assert(obj_info(s, x.obj)->java ||
	       obj_info(s, x.obj)->nslot <= MAX(s->max_slots, 2 * obj_info(s, x.obj)->limit) + 1);
}

static void
check_object(Solver *s, ObjId o)
{
	const ObjInfo *info = obj_info(s, o);

	for (CellId c = info->cell; c; c = s->cell.at[c].next) {
		const Cell *x = &s->cell.at[c];
		Slot at = s->p->slots.at[x->slot];
		if (x->in && info->crowded && s->p->objs.at[o].kind != OBJ_NONE &&
		    slot_overlap(s->p, info, at, x->size, s->p->slots.at[info->any], 0))
			assert(holds(s, s->crowd, value(s, x->in)));
		if (x->in && info->escaped && escape_touches(s, x->slot))
			assert(holds(s, s->known_out, value(s, x->in)));
		for (CellId d = info->cell; x->in && d; d = s->cell.at[d].next) {
			const Cell *y = &s->cell.at[d];
			Slot to = s->p->slots.at[y->slot];
			if (y->out && slot_overlap(s->p, info, at, x->size, to, y->size))
				assert(holds(s, y->out, value(s, x->in)));
			if (y->number && cell_gives_number(s, x, y) &&
			    slot_overlap(s->p, info, at, x->size, to, y->size))
				assert(holds(s, y->number, value(s, x->in)));
		}
	}
}

void
pta_check(const Pta *p)
{
	Solver *s = p->solver;

	if (!p->complete)
		return;
	for (NodeId x = 1; x < s->node.n; x++)
		if (s->rep.at[x] == x)
			check_node(s, x);
	for (SlotId i = 1; i < p->slots.n; i++)
		if (p->slots.at[i].obj)
			check_slot(s, i);
	for (ObjId o = 1; o < p->objs.n; o++)
		check_object(s, o);
}

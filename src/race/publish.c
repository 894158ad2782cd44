/* publish.c - is what a thread did before it published an object ordered
 * before what others do with it?
 *
 * An object's publication is ordered if every store of its address into shared
 * memory is ordered with every load that may find it: by fork and join, by a
 * lock at both, by release and acquire, or because the store went into an
 * object that was itself not yet published and whose own publication is
 * ordered.  The last makes it a fixpoint; the greatest one is right, because a
 * chain of publications is finite in every run.  Objects only ever change from
 * ordered to refuted, so it ends. */
#include "race/race_int.h"

enum { ORDERED = 1, REFUTED = 2 };

struct Publish {
	Races *r;
	u8 *state;         /* [ObjId] */
	u32 *store, *load; /* [ObjId]: the accesses that refute it, plus 1 */
	VecU32 asked;
};

static void
ask(struct Publish *p, ObjId o)
{
	if (p->state[o])
		return;
	p->state[o] = ORDERED;
	vec_push(p->r->arena, &p->asked, o);
}

bool
publish_ordered(struct Publish *p, ObjId o)
{
	ask(p, o);
	return p->state[o] == ORDERED;
}

bool
publish_refuted_by(const struct Publish *p, ObjId o, u32 *store, u32 *load)
{
	if (!p->store[o])
		return false;
	*store = p->store[o] - 1;
	*load = p->load[o] - 1;
	return true;
}

/* May the load find, in object at, what the store put there, with nothing that
 * orders the two? */
static bool
unordered(struct Publish *p, u32 store, u32 load, ObjId at, const Overlap *where)
{
	Races *r = p->r;
	u32 s = r->classes.at[store].flags, l = r->classes.at[load].flags;

	if (!(l & CLASS_READS) || !classes_parallel(r, store, load))
		return false;
	if ((s & CLASS_RELEASE) && (l & CLASS_ACQUIRE))
		return false;
	if ((s & l & ACC_FRESH) || (((s | l) & ACC_FRESH) && publish_ordered(p, at)))
		return false;
	for (u32 same = 0; same < 2; same++)
		if (where->x[same] && !classes_excluded(r, store, load, same))
			return true;
	return false;
}

/* Keeps the first refutation, but prefers one that is a race itself. */
static bool
refute(struct Publish *p, ObjId o, u32 store, u32 load)
{
	Races *r = p->r;
	bool race = flags_conflict(r->classes.at[store].flags, r->classes.at[load].flags);

	if (!p->store[o] || race) {
		p->store[o] = r->classes.at[store].accesses.at[0] + 1;
		p->load[o] = r->classes.at[load].accesses.at[0] + 1;
	}
	return race;
}

/* Looks at all loads that may find what class `store` wrote to object at.
 * True: a race was found, no need to look further. */
static bool
check_loads(struct Publish *p, ObjId o, u32 store, ObjId at)
{
	Races *r = p->r;
	const VecU32 *l = &r->shapes_of[at];
	Overlap where;

	for (u32 i = 0; i < l->n; i++) {
		const VecU32 *loads = &r->shapes.at[l->at[i]].classes;

		if (!shapes_overlap(r, r->classes.at[store].shape, l->at[i], at, &where))
			continue;
		for (u32 k = 0; k < loads->n; k++)
			if (unordered(p, store, loads->at[k], at, &where) &&
			    refute(p, o, store, loads->at[k]))
				return true;
	}
	return false;
}

static bool
check_store(struct Publish *p, ObjId o, u32 store)
{
	const Races *r = p->r;
	const CellList *l = &r->cells.at[r->shapes.at[r->classes.at[store].shape].cells];

	for (u32 i = 0; i < l->n; i++)
		if ((!i || l->at[i].obj != l->at[i - 1].obj) &&
		    check_loads(p, o, store, l->at[i].obj))
			return true;
	return false;
}

static bool
writes_memory(Op op)
{
	return op == OP_STORE || op == OP_BCOPY || op == OP_RMW || op == OP_CAS || op == OP_WRITEN;
}

/* Is the publication of o not ordered, given what is assumed of others? */
static bool
refuted(struct Publish *p, ObjId o)
{
	const Races *r = p->r;
	u32 n;
	const Publisher *by = fresh_publishers(r->conc->fresh, o, &n);

	if (fresh_unknown(r->conc->fresh, o))
		return true;
	for (u32 i = 0; i < n; i++) {
		Op op = (Op)ir_ins(r->ir, by[i].ins)->op;

		if (op == OP_FORK)
			continue; /* orders what it hands over */
		if (!writes_memory(op))
			return true;
		for (u32 k = access_first(r, by[i].ins);
		     k < r->conc->accesses.n && access_at(r, k)->ins == by[i].ins; k++)
			if (access_at(r, k)->inst == by[i].inst &&
			    (access_at(r, k)->flags & ACC_WRITE) &&
			    check_store(p, o, r->class_of[k]))
				return true;
	}
	return p->store[o] != 0;
}

static void
ask_for_fresh(struct Publish *p)
{
	const Races *r = p->r;

	for (u32 c = 1; c < r->classes.n; c++) {
		const CellList *l = &r->cells.at[r->shapes.at[r->classes.at[c].shape].cells];

		if (r->classes.at[c].flags & ACC_FRESH)
			for (u32 i = 0; i < l->n; i++)
				ask(p, l->at[i].obj);
	}
}

struct Publish *
publish_new(Races *r)
{
	struct Publish *p = arena_new(r->arena, struct Publish);
	u32 n = r->pta->objs.n + 1;
	bool changed = true;

	p->r = r;
	p->state = arena_array(r->arena, u8, n);
	p->store = arena_array(r->arena, u32, n);
	p->load = arena_array(r->arena, u32, n);
	ask_for_fresh(p);
	while (changed) {
		changed = false;
		for (u32 i = 0; i < p->asked.n; i++) { /* grows meanwhile */
			ObjId o = p->asked.at[i];

			if (p->state[o] == ORDERED && refuted(p, o)) {
				p->state[o] = REFUTED;
				changed = true;
			}
		}
	}
	return p;
}

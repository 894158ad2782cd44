/* publish.c - is what a thread did before it published an object ordered
 * before what others do with it?
 *
 * An object's publication is ordered if every store of its address into shared
 * memory is ordered with every load that may find it: by fork and join, by a
 * lock at both, by release and acquire, because it went into a final field (see
 * freeze.c), or because the store went into an object that was itself not yet
 * published and whose own publication is ordered.  The last makes it a fixpoint;
 * the greatest one is right, because a chain of publications is finite in every
 * run.  Where that chain relies on the end of a constructor, so does what is
 * stored into the object.  Objects only ever change from ordered to refuted, and
 * rely on more constructors, so it ends.
 *
 * Where no constructor is relied on, a store refutes all objects that it may publish alike,
 * and each set of objects that the same stores publish is judged once in a round. */
#include "race/race_int.h"

#include <stdlib.h>

enum { ORDERED = 1, REFUTED = 2 };

typedef struct Store { /* a shape and ctx that publishes */
	u32 ctx;
	u32 round; /* in which it was looked at */
	u32 load;  /* the access that refutes it, plus 1 */
	bool race;
} Store;

typedef struct Handed {  /* a set of objects that the same stores publish */
	u32 round;       /* in which it was looked at */
	u32 store, load; /* the accesses that refute it, plus 1 */
	Publisher by;    /* whose the store is */
	bool race;
	bool singly; /* objects of it may rely on constructors: they are judged one by one */
} Handed;

struct Publish {
	Races *r;
	u8 *state;         /* [ObjId] */
	u32 *store, *load; /* [ObjId]: the accesses that refute it, plus 1 */
	Set *relies;       /* [ObjId]: on the ends of these constructors, InstIds */
	struct Freeze *freeze;
	bool news;      /* some object relies on more */
	bool relied;    /* some object relies on some */
	Handed *handed; /* [set] */
	Vec(Publisher) list;
	VecU32 asked;
	Vec(Store) stores;
	Map index; /* (shape, ctx) -> store, plus 1 */
	u32 round;
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
publish_ordered(const struct Publish *p, ObjId o)
{
	return p->state[o] != REFUTED;
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

/* Keeps the first refutation of the store, but prefers one that is a race
 * itself. */
static bool
refute(struct Publish *p, Store *s, u32 shape, const Set *loads)
{
	const Races *r = p->r;
	u32 flags = context_get(r->contexts, s->ctx)->flags;

	SET_FOR (it, loads) {
		if (!set_has(&r->shapes.at[shape].ctxs, it.x))
			continue;
		s->race = flags_conflict(flags, context_get(r->contexts, it.x)->flags);
		if (!s->load || s->race)
			s->load = map_get(&r->first_of, map_pair(shape, it.x));
		if (s->race)
			return true;
	}
	return false;
}

/* Looks at all loads that may find what the store wrote to f's object.  True:
 * a race was found, no need to look further. */
static bool
check_loads(struct Publish *p, Store *s, const Foot *f)
{
	Races *r = p->r;

	for (u32 i = 0; i < f->near.n; i++) {
		Variant v = VARIANT_SHARED + (f->near.at[i].other ? MEET_OTHER : 0);
		const Set *loads;

		if (publish_ordered(p, f->obj))
			v += MEET_ORDERED_X + MEET_ORDERED_Y;
		loads = contexts_finding(r->contexts, s->ctx, v);
		SET_FOR (it, &r->feet.at[f->near.at[i].foot].shapes)
			if (set_meets(loads, &r->shapes.at[it.x].ctxs) && refute(p, s, it.x, loads))
				return true;
	}
	return false;
}

/* What an access that stores somewhere is refuted by; the same for all of its
 * shape and ctx, and looked for once in each round until it is found. */
static const Store *
store_of(struct Publish *p, u32 access)
{
	Races *r = p->r;
	u32 shape = r->shape_of[access], ctx = r->ctx_of[access];
	u32 *at = map_at(r->arena, &p->index, map_pair(shape, ctx));
	Store *s;

	if (!*at) {
		vec_push(r->arena, &p->stores, (Store){.ctx = ctx});
		*at = p->stores.n;
	}
	s = &p->stores.at[*at - 1];
	if (s->load || s->round == p->round)
		return s;
	s->round = p->round;
	for (u32 i = 0; i < r->shapes.at[shape].feet.n; i++)
		if (check_loads(p, s, &r->feet.at[r->shapes.at[shape].feet.at[i]]))
			break;
	return s;
}

/* Keeps the first refutation of o, but prefers one that is a race itself. */
static bool
check_store(struct Publish *p, ObjId o, u32 access)
{
	const Races *r = p->r;
	const Store *s = store_of(p, access);

	if (!s->load || (p->store[o] && !s->race))
		return false;
	p->store[o] = map_get(&r->first_of, map_pair(r->shape_of[access], r->ctx_of[access]));
	p->load[o] = s->load;
	return s->race;
}

/* Is o ordered by the end of ctor?  Then it relies on that. */
static bool
rely(struct Publish *p, ObjId o, InstId ctor)
{
	if (!freeze_orders(p->freeze, o, ctor))
		return false;
	p->news |= set_add(p->r->arena, &p->relies[o], ctor);
	p->relied = true;
	return true;
}

/* Is o, if it is stored into an object that relies on constructors, ordered by
 * their ends too? */
static bool
relies_alike(struct Publish *p, ObjId o, u32 access)
{
	const Shape *shape = &p->r->shapes.at[p->r->shape_of[access]];

	for (u32 i = 0; i < shape->feet.n; i++) {
		ObjId into = p->r->feet.at[shape->feet.at[i]].obj;
		if (p->state[into] != ORDERED || into == o)
			continue;
		SET_FOR (it, &p->relies[into])
			if (!rely(p, o, it.x))
				return false;
	}
	return true;
}

/* Does the store of o by inst, one of its accesses, leave its loads unordered? */
static bool
unordered(struct Publish *p, ObjId o, InstId inst, u32 access)
{
	const Access *a = access_at(p->r, access);

	if (a->inst != inst || !(a->flags & ACC_WRITE))
		return false;
	if (a->flags & ACC_FROZEN && rely(p, o, inst))
		return false;
	return !relies_alike(p, o, access) || check_store(p, o, access);
}

/* Does the store, or what it stores into, rely on constructors? */
static bool
asks_for_each(const struct Publish *p, u32 access)
{
	const Shape *shape = &p->r->shapes.at[p->r->shape_of[access]];
	bool found = access_at(p->r, access)->flags & ACC_FROZEN;

	for (u32 i = 0; p->relied && !found && i < shape->feet.n; i++)
		found = !set_empty(&p->relies[p->r->feet.at[shape->feet.at[i]].obj]);
	return found;
}

/* Judges the set by one of its stores.  True: it is decided. */
static bool
judge_store(struct Publish *p, Handed *h, const Publisher *by)
{
	const Races *r = p->r;

	for (u32 k = access_first(r, by->ins);
	     k < r->conc->accesses.n && access_at(r, k)->ins == by->ins; k++) {
		const Store *s;
		if (access_at(r, k)->inst != by->inst || !(access_at(r, k)->flags & ACC_WRITE))
			continue;
		if (asks_for_each(p, k))
			return h->singly = true;
		s = store_of(p, k);
		if (!s->load || (h->store && !s->race))
			continue;
		h->store = map_get(&r->first_of, map_pair(r->shape_of[k], r->ctx_of[k]));
		h->load = s->load;
		h->by = *by;
		if (s->race)
			return h->race = true;
	}
	return false;
}

static const Handed *
judge(struct Publish *p, u32 set)
{
	Handed *h = &p->handed[set];
	u32 n;
	const Publisher *by = fresh_publishers(p->r->conc->fresh, set, &n);

	if (h->singly || h->race || h->round == p->round)
		return h;
	h->round = p->round;
	for (u32 i = 0; i < n; i++)
		if (judge_store(p, h, &by[i]))
			break;
	return h;
}

/* Lists the stores that publish o, the first of them; returns whether these are all. */
static bool
list_stores(struct Publish *p, const u32 *sets, u32 nset)
{
	const Fresh *f = p->r->conc->fresh;
	bool all = true;

	p->list.n = 0;
	for (u32 i = 0; i < nset; i++) {
		u32 n;
		const Publisher *by = fresh_publishers(f, sets[i], &n);
		all &= !fresh_set_large(f, sets[i]) && p->list.n + n <= FRESH_LARGE;
		for (u32 k = 0; k < n && p->list.n < FRESH_LARGE; k++)
			vec_push(p->r->arena, &p->list, by[k]);
	}
	if (p->list.n)
		qsort(p->list.at, p->list.n, sizeof *p->list.at, publisher_compare);
	return all;
}

/* The same of one object, by all stores that publish it; by many, it is refuted, at best by one of
 * those that are looked at. */
static bool
refuted_singly(struct Publish *p, ObjId o, const u32 *sets, u32 nset)
{
	const Races *r = p->r;
	bool all = list_stores(p, sets, nset);

	for (u32 i = 0; i < p->list.n; i++)
		for (u32 k = access_first(r, p->list.at[i].ins);
		     k < r->conc->accesses.n && access_at(r, k)->ins == p->list.at[i].ins; k++)
			if (unordered(p, o, p->list.at[i].inst, k))
				return true;
	return !all || p->store[o];
}

/* Is the publication of o not ordered, given what is assumed of others?  Of the sets that
 * refute it one that is a race itself is kept, and the first. */
static bool
refuted(struct Publish *p, ObjId o)
{
	const Fresh *f = p->r->conc->fresh;
	const Handed *best = NULL, *h;
	u32 n;
	const u32 *sets = fresh_sets(f, o, &n);

	if (fresh_unknown(f, o) || fresh_many(f, o))
		return true;
	for (u32 i = 0; i < n; i++) {
		h = judge(p, sets[i]);
		if (h->singly)
			return refuted_singly(p, o, sets, n);
		if (h->store &&
		    (!best || h->race > best->race ||
		     (h->race == best->race && publisher_compare(&h->by, &best->by) < 0)))
			best = h;
	}
	if (!best)
		return false;
	p->store[o] = best->store;
	p->load[o] = best->load;
	return true;
}

static void
ask_for_fresh(struct Publish *p)
{
	const Races *r = p->r;

	for (u32 s = 1; s < r->shapes.n; s++) {
		const Shape *shape = &r->shapes.at[s];
		bool fresh = false;

		SET_FOR (it, &shape->ctxs)
			fresh |= (context_get(r->contexts, it.x)->flags & ACC_FRESH) != 0;
		for (u32 i = 0; fresh && i < shape->feet.n; i++)
			ask(p, r->feet.at[shape->feet.at[i]].obj);
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
	p->relies = arena_array(r->arena, Set, n);
	p->handed = arena_array(r->arena, Handed, fresh_set_count(r->conc->fresh) + 1);
	ask_for_fresh(p);
	p->freeze = freeze_new(r, &p->asked);
	while (changed || p->news) {
		changed = p->news = false;
		p->round++;
		for (u32 i = 0; i < p->asked.n; i++) {
			ObjId o = p->asked.at[i];

			if (p->state[o] == ORDERED && refuted(p, o)) {
				p->state[o] = REFUTED;
				changed = true;
			}
		}
	}
	return p;
}

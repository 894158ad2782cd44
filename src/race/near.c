/* near.c - the near miss: a lock that is held at most accesses of a location.
 *
 * All accesses that overlap the location count, not only those that race: the
 * guarded ones are what makes a lock the location's own.  What cannot run at
 * the same time as the race (set-up, objects not yet published) does not
 * count.  All instructions of one place in the source (the two of `x++`) are
 * one access; it holds a lock if each of them does in each of its contexts.
 * Each function has its own name for a lock that is no single object; such
 * locks are one if their names end alike (`c->lock`, `conn->lock`). */
#include "race/race_int.h"

#include <string.h>

enum { MAX_PAIRS = 32, MAX_ACCESSES = 4096, MIN_HELD = 2 };

typedef struct Count {
	const char *name;
	u32 held;    /* places in the source */
	SlotId slot; /* the single lock object, 0 if it is not one */
} Count;

/* Which locks a place of the source holds at this race: those of a list. */
typedef struct Place {
	u32 race; /* index plus 1 of the race that saw it last */
	u32 list;
} Place;

typedef struct NearMisses {
	Races *r;
	u32 *start, *accesses; /* those of shape i are start[i] to start[i + 1] */
	Intern keys;
	Vec(Count) counts; /* [key] */
	Map list_of;       /* (instance, lockset) -> list */
	Map meets;         /* two lists -> those that both have */
	Vec(VecU32) lists; /* of keys; 0 is none yet */
	Map place_of;      /* position or instruction -> place */
	Vec(Place) places;
	VecU32 here;       /* the places of this race */
	u32 *list, *place; /* [access], 0 until asked */
} NearMisses;

const char *
lock_key(const Races *r, const HeldLock *l)
{
	const char *arrow = strstr(l->name, "->"), *dot = strchr(l->name, '.');

	if (l->slot)
		return arena_printf(r->arena, "#%u", l->slot);
	if (arrow && (!dot || arrow < dot))
		return arrow;
	return dot ? dot : l->name;
}

static u32
key_of(NearMisses *n, const HeldLock *l)
{
	u32 key = intern_str(&n->keys, lock_key(n->r, l));

	while (n->counts.n <= key)
		vec_push(n->r->arena, &n->counts, (Count){0});
	if (!n->counts.at[key].name)
		n->counts.at[key].name = l->name;
	n->counts.at[key].slot = l->slot;
	return key;
}

/* The list of the locks that a lockset of an instance names. */
static u32
lockset_list(NearMisses *n, const Access *a)
{
	Races *r = n->r;
	u32 *at = map_at(r->arena, &n->list_of, map_pair(a->inst, a->held));
	VecU32 keys = {0};
	const HeldLock *locks;
	u32 nlock;

	if (*at)
		return *at;
	*at = n->lists.n;
	nlock = a->held ? locks_list(r->conc->locks, a->inst, a->held, &locks) : 0;
	for (u32 i = 0; i < nlock; i++)
		if (!locks[i].turn)
			vec_push(r->arena, &keys, key_of(n, &locks[i]));
	vec_push(r->arena, &n->lists, keys);
	return n->lists.n - 1;
}

static u32
list_of(NearMisses *n, u32 id)
{
	if (!n->list[id])
		n->list[id] = lockset_list(n, access_at(n->r, id));
	return n->list[id];
}

static bool
list_has(const VecU32 *list, u32 key)
{
	for (u32 i = 0; i < list->n; i++)
		if (list->at[i] == key)
			return true;
	return false;
}

/* The keys of x that y has, too. */
static u32
meet_lists(NearMisses *n, u32 x, u32 y)
{
	Arena *a = n->r->arena;
	VecU32 both = {0};
	u32 *at;

	if (x == y || !n->lists.at[x].n)
		return x;
	at = map_at(a, &n->meets, map_pair(x, y));
	if (*at)
		return *at;
	for (u32 i = 0; i < n->lists.at[x].n; i++)
		if (list_has(&n->lists.at[y], n->lists.at[x].at[i]))
			vec_push(a, &both, n->lists.at[x].at[i]);
	*at = n->lists.n;
	vec_push(a, &n->lists, both);
	return n->lists.n - 1;
}

static bool
holds(NearMisses *n, u32 id, u32 key)
{
	u32 list = list_of(n, id); /* may move the lists */

	return list_has(&n->lists.at[list], key);
}

static bool
is_contemporary(const Races *r, const Access *a, const Pair *p)
{
	const Access *x = access_at(r, p->a), *y = access_at(r, p->b);

	return order_parallel(r->conc->order, a->thread, a->order, x->thread, x->order) ||
	       order_parallel(r->conc->order, a->thread, a->order, y->thread, y->order);
}

/* Adds the foot's shapes if it overlaps the race's cell. */
static void
add_foot(const Races *r, const Foot *f, const Race *race, SlotId slot, Set *shapes)
{
	bool meets = false;

	for (u32 i = 0; i < f->ncell && !meets; i++)
		meets = pta_overlap(r->pta, f->cells[i].slot, f->size, slot, race->size);
	if (meets)
		set_or(r->arena, shapes, &f->shapes);
}

/* The shapes that touch the race's location, in each of the objects that are
 * one to the user. */
static void
add_shapes(const Races *r, const Race *race, Set *out)
{
	Set slots = {0};

	set_add(r->arena, &slots, race->slot);
	for (u32 i = 0; i < race->npair && i < MAX_PAIRS; i++)
		set_add(r->arena, &slots, r->result->pairs.at[race->pair + i].slot_a);
	SET_FOR (it, &slots) {
		const VecU32 *feet = &r->feet_of[pta_slot(r->pta, it.x)->obj];

		for (u32 i = 0; i < feet->n; i++)
			add_foot(r, &r->feet.at[feet->at[i]], race, it.x, out);
	}
	set_recycle(r->arena, &slots);
}

/* What the user takes for one access: a position, or an instruction without. */
static u32
place_of(NearMisses *n, u32 id)
{
	const Races *r = n->r;
	InsId ins = access_at(r, id)->ins;
	SrcId src = ir_ins(r->ir, ins)->src;
	u32 *at;

	if (n->place[id])
		return n->place[id];
	at = map_at(r->arena, &n->place_of, src ? map_pair(1, src) : map_pair(2, ins));
	if (!*at) {
		*at = n->places.n;
		vec_push(r->arena, &n->places, (Place){0});
	}
	return n->place[id] = *at;
}

/* Takes an access into account: its place holds what all of its accesses hold. */
static void
add_access(NearMisses *n, u32 id, u32 race)
{
	u32 at = place_of(n, id), list = list_of(n, id);
	Place *p = &n->places.at[at];

	if (p->race == race) {
		p->list = meet_lists(n, p->list, list);
		return;
	}
	*p = (Place){race, list};
	vec_push(n->r->arena, &n->here, at);
}

/* Finds the places where the race's contemporaries touch its location; none if there are too
 * many accesses. */
static void
add_accesses(NearMisses *n, const Race *race, const Set *shapes)
{
	const Races *r = n->r;
	const Pair *best = &r->result->pairs.at[race->pair];
	u32 count = 0, stamp = (u32)(race - r->result->races.at) + 1;

	n->here.n = 0;
	SET_FOR (it, shapes)
		count += n->start[it.x + 1] - n->start[it.x];
	if (count > MAX_ACCESSES)
		return;
	SET_FOR (it, shapes)
		for (u32 i = n->start[it.x]; i < n->start[it.x + 1]; i++) {
			const Access *a = access_at(r, n->accesses[i]);

			if (!(a->flags & ACC_FRESH) && is_contemporary(r, a, best))
				add_access(n, n->accesses[i], stamp);
		}
}

/* Counts the places that hold each lock. */
static void
count_places(NearMisses *n)
{
	for (u32 i = 0; i < n->counts.n; i++)
		n->counts.at[i].held = 0;
	for (u32 i = 0; i < n->here.n; i++) {
		const VecU32 *keys = &n->lists.at[n->places.at[n->here.at[i]].list];

		for (u32 k = 0; k < keys->n; k++)
			n->counts.at[keys->at[k]].held++;
	}
}

/* Is it a lock in another object, where some hold the one of the object that they access?  Then that is
 * the location's own, however few they are. */
static bool
is_of_another(const NearMisses *n, const Pair *best, u32 key)
{
	const Races *r = n->r;
	const Access *x = access_at(r, best->a);
	const Set *pts = pta_pts(r->pta, x->inst, x->addr);
	ObjId o = set_empty(pts) ? 0 : pta_slot(r->pta, set_first(pts))->obj;
	SlotId lock = n->counts.at[key].slot;

	if (!lock || pta_slot(r->pta, lock)->obj == o)
		return false;
	for (u32 i = 1; i < n->counts.n; i++) {
		SlotId own = n->counts.at[i].held ? n->counts.at[i].slot : 0;
		if (own && pta_slot(r->pta, own)->obj == o)
			return true;
	}
	return false;
}

static void
find_near(NearMisses *n, Race *race)
{
	const Races *r = n->r;
	const Pair *best = &r->result->pairs.at[race->pair];
	Set shapes = {0};
	u32 key = 0;

	add_shapes(r, race, &shapes);
	add_accesses(n, race, &shapes);
	set_recycle(r->arena, &shapes);
	count_places(n);
	for (u32 i = 1; i < n->counts.n; i++)
		if (n->counts.at[i].held > (key ? n->counts.at[key].held : MIN_HELD - 1))
			key = i;
	if (!key || n->counts.at[key].held * 2 <= n->here.n || is_of_another(n, best, key))
		return;
	race->near = (NearMiss){n->counts.at[key].name, n->counts.at[key].held, n->here.n,
				holds(n, best->a, key), holds(n, best->b, key)};
}

/* Lists the accesses by shape. */
static void
sort_accesses(NearMisses *n)
{
	const Races *r = n->r;
	u32 count = r->conc->accesses.n;

	n->start = arena_array(r->arena, u32, r->shapes.n + 2);
	n->accesses = arena_array(r->arena, u32, count + 1);
	for (u32 i = 0; i < count; i++)
		n->start[r->shape_of[i] + 1]++;
	for (u32 i = 0; i < r->shapes.n; i++)
		n->start[i + 1] += n->start[i];
	for (u32 i = count; i-- > 0;)
		n->accesses[--n->start[r->shape_of[i] + 1]] = i;
	/* now start[i + 1] is where shape i starts */
	for (u32 i = 0; i < r->shapes.n; i++)
		n->start[i] = n->start[i + 1];
	n->start[r->shapes.n] = count;
}

void
near_build(Races *r)
{
	NearMisses n = {.r = r};

	sort_accesses(&n);
	n.list = arena_array(r->arena, u32, r->conc->accesses.n + 1);
	n.place = arena_array(r->arena, u32, r->conc->accesses.n + 1);
	intern_init(&n.keys, r->arena);
	vec_push(r->arena, &n.counts, (Count){0});
	vec_push(r->arena, &n.lists, (VecU32){0});
	vec_push(r->arena, &n.places, (Place){0});
	for (u32 i = 0; i < r->result->races.n; i++)
		if (!r->result->races.at[i]
			 .used) /* the library's places are none of the program's */
			find_near(&n, &r->result->races.at[i]);
}

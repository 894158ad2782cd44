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
	u32 held; /* instructions */
} Count;

typedef struct NearMisses {
	Races *r;
	VecU32 *accesses; /* [shape], for all shapes */
	Intern keys;
	Vec(Count) counts; /* [key] */
	Map keys_of;       /* (instance, lockset) -> index in lists plus 1 */
	Vec(VecU32) lists;
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

/* The locks that a lockset of an instance names. */
static const VecU32 *
keys_of(NearMisses *n, const Access *a)
{
	Races *r = n->r;
	u32 at = map_get(&n->keys_of, map_pair(a->inst, a->held));
	VecU32 keys = {0};
	const HeldLock *locks;
	u32 nlock;

	if (at)
		return &n->lists.at[at - 1];
	nlock = a->held ? locks_list(r->conc->locks, a->inst, a->held, &locks) : 0;
	for (u32 i = 0; i < nlock; i++) {
		u32 key;

		if (locks[i].turn)
			continue;
		key = intern_str(&n->keys, lock_key(r, &locks[i]));
		while (n->counts.n <= key)
			vec_push(r->arena, &n->counts, (Count){0});
		if (!n->counts.at[key].name)
			n->counts.at[key].name = locks[i].name;
		vec_push(r->arena, &keys, key);
	}
	vec_push(r->arena, &n->lists, keys);
	map_put(r->arena, &n->keys_of, map_pair(a->inst, a->held), n->lists.n);
	return &n->lists.at[n->lists.n - 1];
}

static bool
holds(NearMisses *n, const Access *a, u32 key)
{
	const VecU32 *keys = keys_of(n, a);

	for (u32 i = 0; i < keys->n; i++)
		if (keys->at[i] == key)
			return true;
	return false;
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

/* Every access of the race's location; false if there are too many. */
static bool
add_accesses(NearMisses *n, const Race *race, Set *out)
{
	Arena *a = n->r->arena;
	Set shapes = {0};
	u32 count = 0;

	add_shapes(n->r, race, &shapes);
	SET_FOR (it, &shapes)
		count += n->accesses[it.x].n;
	SET_FOR (it, &shapes)
		for (u32 i = 0; count <= MAX_ACCESSES && i < n->accesses[it.x].n; i++)
			set_add(a, out, n->accesses[it.x].at[i]);
	set_recycle(a, &shapes);
	return count <= MAX_ACCESSES;
}

/* Counts the locks that all contexts of one access hold. */
static void
count_access(NearMisses *n, const VecU32 *contexts)
{
	const VecU32 keys = *keys_of(n, access_at(n->r, contexts->at[0]));

	for (u32 k = 0; k < keys.n; k++) {
		bool all = true;

		for (u32 i = 1; all && i < contexts->n; i++)
			all = holds(n, access_at(n->r, contexts->at[i]), keys.at[k]);
		n->counts.at[keys.at[k]].held += all;
	}
}

/* What the user takes for one access: a position, or an instruction without. */
static u64
place_of(const Races *r, const Access *a)
{
	SrcId src = ir_ins(r->ir, a->ins)->src;

	return src ? map_pair(1, src) : map_pair(2, a->ins);
}

/* Counts the contemporaries among the accesses; returns how many there are. */
static u32
count_all(NearMisses *n, const Race *race, const Set *all)
{
	const Races *r = n->r;
	const Pair *best = &r->result->pairs.at[race->pair];
	Vec(VecU32) places = {0};
	Map index = {0};

	SET_FOR (it, all) {
		const Access *a = access_at(r, it.x);
		u32 *at;

		if ((a->flags & ACC_FRESH) || !is_contemporary(r, a, best))
			continue;
		at = map_at(r->arena, &index, place_of(r, a));
		if (!*at) {
			vec_push(r->arena, &places, (VecU32){0});
			*at = places.n;
		}
		vec_push(r->arena, &places.at[*at - 1], it.x);
	}
	for (u32 i = 0; i < n->counts.n; i++)
		n->counts.at[i].held = 0;
	for (u32 i = 0; i < places.n; i++)
		count_access(n, &places.at[i]);
	return places.n;
}

static void
find_near(NearMisses *n, Race *race)
{
	const Races *r = n->r;
	const Pair *best = &r->result->pairs.at[race->pair];
	Set all = {0};
	u32 of = 0, key = 0;

	if (add_accesses(n, race, &all))
		of = count_all(n, race, &all);
	set_recycle(r->arena, &all);
	for (u32 i = 1; of && i < n->counts.n; i++)
		if (n->counts.at[i].held > (key ? n->counts.at[key].held : MIN_HELD - 1))
			key = i;
	if (!key || n->counts.at[key].held * 2 <= of)
		return;
	race->near =
	    (NearMiss){n->counts.at[key].name, n->counts.at[key].held, of,
		       holds(n, access_at(r, best->a), key), holds(n, access_at(r, best->b), key)};
}

void
near_build(Races *r)
{
	NearMisses n = {.r = r};

	n.accesses = arena_array(r->arena, VecU32, r->shapes.n + 1);
	for (u32 i = 0; i < r->conc->accesses.n; i++)
		vec_push(r->arena, &n.accesses[r->shape_of[i]], i);
	intern_init(&n.keys, r->arena);
	vec_push(r->arena, &n.counts, (Count){0});
	for (u32 i = 0; i < r->result->races.n; i++)
		if (!r->result->races.at[i]
			 .used) /* the library's places are none of the program's */
			find_near(&n, &r->result->races.at[i]);
}

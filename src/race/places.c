/* places.c - one race for each racing location.
 *
 * The location of a pair is the narrower of its two cells, so that clearing a
 * whole struct does not make one location of its members.  Locations are made
 * from the narrowest pairs up; a wider one joins the location that it overlaps
 * if there is just one, and else stands for itself.  What may be anywhere in a variable comes behind its
 * members, so that it does not make one location of them either.  Where one side ends the
 * object, and the others touch several cells of it, the object as a whole is the
 * location: one mistake, one race.  Objects made by one
 * instruction in several contexts are one object to the user. */
#include "base/sort.h"
#include "race/race_int.h"

#include <stdlib.h>
#include <string.h>

typedef struct Place {
	ObjId used; /* calls on this object of a library */
	u64 origin;
	SlotId slot;
	u64 size;      /* 0: unknown, to the end */
	u32 in_object; /* the next of the same object, plus 1 */
	u32 alike;     /* the next whose cell has the same hash, plus 1 */
	VecU32 pairs;
} Place;

enum { SEVERAL = UINT32_MAX };

typedef struct Places {
	Races *r;
	Vec(Place) at;
	Map exact;  /* slot and size, hashed -> place plus 1; verified */
	Map object; /* ObjId -> the last place in it, plus 1 */
	Map alike;  /* hash_cell -> the last such place, plus 1 */
	Map used;   /* origin -> the place of uses of it, plus 1 */
	Map ended;  /* origin -> the place of its end, plus 1 */
	Map cells;  /* origin -> the one slot where its end races, or SEVERAL */
	u32 *rank;  /* [SrcId]: where it comes among the positions of all pairs */
} Places;

/* What the user takes for one object: a variable, or all that one allocation
 * makes. */
static u64
origin_of(const Races *r, ObjId obj)
{
	const Obj *o = pta_obj(r->pta, obj);

	return map_pair(o->kind, o->ins ? o->ins : o->ref);
}

/* Of two cells of one size, the one that is not any element of an array. */
static void
narrower(const Races *r, const Pair *p, SlotId *slot, u64 *size)
{
	u64 a = access_at(r, p->a)->size, b = access_at(r, p->b)->size;
	bool exact = a == b && !pta_slot(r->pta, p->slot_b)->stride;
	bool second = (b && (!a || b < a)) || (exact && pta_slot(r->pta, p->slot_a)->stride);

	*slot = second ? p->slot_b : p->slot_a;
	*size = second ? b : a;
}

/* Are the cells the same, of two objects of one origin? */
static bool
is_alike(const Races *r, const Place *p, u64 origin, SlotId slot)
{
	const Slot *s = pta_slot(r->pta, p->slot), *t = pta_slot(r->pta, slot);

	return p->origin == origin && s->obj != t->obj && s->off == t->off &&
	       s->stride == t->stride && s->in == t->in && s->lo == t->lo && s->end == t->end;
}

static u64
hash_cell(const Races *r, u64 origin, SlotId slot)
{
	const Slot *s = pta_slot(r->pta, slot);

	return hash_u64(hash_u64(origin ^ hash_u64((u64)s->off)) ^ s->stride) | 1;
}

/* The place that size bytes at slot belong to, plus 1; 0: a new one.  One allocation of a large
 * program may have made thousands of objects. */
static u32
find(const Places *ps, u64 origin, SlotId slot, u64 size)
{
	const Races *r = ps->r;
	u32 found = 0, n = 0, i;

	for (i = map_get(&ps->object, pta_slot(r->pta, slot)->obj); i;) {
		const Place *p = &ps->at.at[i - 1];

		if (p->slot == slot && p->size == size)
			return i;
		if (pta_overlap(r->pta, p->slot, p->size, slot, size)) {
			found = i;
			n++;
		}
		i = p->in_object;
	}
	for (i = map_get(&ps->alike, hash_cell(r, origin, slot)); i; i = ps->at.at[i - 1].alike)
		if (is_alike(r, &ps->at.at[i - 1], origin, slot)) {
			found = i;
			n++;
		}
	return n == 1 ? found : 0;
}

/* A new place: its index plus 1. */
static u32
add(Places *ps, u64 origin, SlotId slot, u64 size)
{
	Races *r = ps->r;
	u32 *object = map_at(r->arena, &ps->object, pta_slot(r->pta, slot)->obj);
	u32 *alike = map_at(r->arena, &ps->alike, hash_cell(r, origin, slot));

	vec_push(r->arena, &ps->at, (Place){0, origin, slot, size, *object, *alike, {0}});
	return *object = *alike = ps->at.n;
}

/* Puts a pair of calls on an object of a library to the uses of that; a static variable is not its. */
static bool
put_use(Places *ps, u32 pair)
{
	Races *r = ps->r;
	const Pair *p = &r->result->pairs.at[pair];
	bool global = pta_obj(r->pta, pta_slot(r->pta, p->slot_a)->obj)->kind == OBJ_GLOBAL;
	ObjId used = global ? 0 : use_common(r->uses, p->a, p->b);
	u32 *at;

	if (!used)
		return false;
	at = map_at(r->arena, &ps->used, origin_of(r, used));
	if (!*at) {
		vec_push(r->arena, &ps->at, (Place){.used = used});
		*at = ps->at.n;
	}
	vec_push(r->arena, &ps->at.at[*at - 1].pairs, pair);
	return true;
}

static bool
ends(const Races *r, const Pair *p)
{
	return (access_at(r, p->a)->flags | access_at(r, p->b)->flags) & ACC_FREE;
}

/* Notes at how many cells the ends of objects race. */
static void
note_ends(Places *ps)
{
	Races *r = ps->r;

	for (u32 i = 0; i < r->result->pairs.n; i++) {
		const Pair *p = &r->result->pairs.at[i];
		SlotId slot;
		u64 size;
		u32 *cell;
		if (!ends(r, p))
			continue;
		narrower(r, p, &slot, &size);
		cell = map_at(r->arena, &ps->cells, origin_of(r, pta_slot(r->pta, slot)->obj));
		*cell = !*cell || *cell == slot ? slot : SEVERAL;
	}
}

/* Puts a pair of which one side ends the object to the object. */
static bool
put_end(Places *ps, u32 pair)
{
	Races *r = ps->r;
	const Pair *p = &r->result->pairs.at[pair];
	u64 origin = origin_of(r, pta_slot(r->pta, p->slot_a)->obj);
	u32 *at;

	if (!ends(r, p) || map_get(&ps->cells, origin) != SEVERAL)
		return false;
	at = map_at(r->arena, &ps->ended, origin);
	if (!*at) {
		vec_push(r->arena, &ps->at, (Place){.slot = p->slot_a});
		*at = ps->at.n;
	}
	vec_push(r->arena, &ps->at.at[*at - 1].pairs, pair);
	return true;
}

static void
put(Places *ps, u32 pair)
{
	Races *r = ps->r;
	SlotId slot;
	u64 size, origin, key;
	u32 at;

	if (put_use(ps, pair) || put_end(ps, pair))
		return;
	narrower(r, &r->result->pairs.at[pair], &slot, &size);
	origin = origin_of(r, pta_slot(r->pta, slot)->obj);
	key = map_pair(slot, hash_u64(size));
	at = map_get(&ps->exact, key);
	if (!at || ps->at.at[at - 1].slot != slot || ps->at.at[at - 1].size != size)
		at = find(ps, origin, slot, size);
	if (!at) {
		at = add(ps, origin, slot, size);
		map_put(r->arena, &ps->exact, key, at);
	}
	vec_push(r->arena, &ps->at.at[at - 1].pairs, pair);
}

/* What is ranked, with its number.  Positions decide only by their order, which is the same where
 * lines have moved: a kept result relies on it.  There are many pairs to sort, at few positions. */
static WideKey
ranked(u32 key, u32 first, u32 second, u32 index)
{
	return (WideKey){map_pair(key, first), map_pair(second, index)};
}

/* Sorts by major, then by minor. */
static u32
rank_key(u32 major, u32 minor)
{
	assert(major < 1u << 16 && minor < 1u << 16);
	return major << 16 | minor;
}

/* Pairs whose cells have the same size. */
typedef struct SameSize {
	u64 size;
	bool vague; /* anywhere in an object that has members */
	VecU32 pairs;
} SameSize;

static int
compare_sizes(const void *x, const void *y)
{
	const SameSize *s = x, *t = y;
	u64 a = s->size - 1, b = t->size - 1;

	if (s->vague != t->vague)
		return s->vague ? 1 : -1;
	return a < b ? -1 : a > b; /* unknown sizes last */
}

static bool
is_vague(const Races *r, SlotId slot)
{
	return pta_obj(r->pta, pta_slot(r->pta, slot)->obj)->vague && !pta_slot_own(r->pta, slot);
}

/* There are few sizes, so that sorting them is sorting the pairs. */
static void
group(Places *ps)
{
	Races *r = ps->r;
	Vec(SameSize) sizes = {0};
	Map index = {0};
	SlotId slot;
	u64 size;

	for (u32 i = 0; i < r->result->pairs.n; i++) {
		u32 *at;
		bool vague;

		narrower(r, &r->result->pairs.at[i], &slot, &size);
		vague = is_vague(r, slot);
		at = map_at(r->arena, &index, size * 2 + vague);
		if (!*at) {
			vec_push(r->arena, &sizes, (SameSize){size, vague, {0}});
			*at = sizes.n;
		}
		vec_push(r->arena, &sizes.at[*at - 1].pairs, i);
	}
	if (sizes.n)
		qsort(sizes.at, sizes.n, sizeof *sizes.at, compare_sizes);
	note_ends(ps);
	for (u32 s = 0; s < sizes.n; s++)
		for (u32 i = 0; i < sizes.at[s].pairs.n; i++)
			put(ps, sizes.at[s].pairs.at[i]);
}

static SrcId
position(const Races *r, u32 access)
{
	return ir_ins(r->ir, race_shown_ins(r->result, access))->src;
}

typedef struct Position {
	Src at;
	SrcId id;
} Position;

static int
compare_positions(const void *x, const void *y)
{
	const Position *a = x, *b = y;

	return src_compare(&a->at, &b->at);
}

static void
rank_positions(Places *ps)
{
	Races *r = ps->r;
	Vec(Position) all = {0};

	ps->rank = arena_array(r->arena, u32, r->ir->srcs.n);
	for (u32 i = 0; i < r->result->pairs.n * 2; i++) {
		const Pair *p = &r->result->pairs.at[i / 2];
		SrcId id = position(r, i % 2 ? p->b : p->a);

		if (ps->rank[id])
			continue;
		ps->rank[id] = 1;
		vec_push(r->arena, &all, (Position){r->ir->srcs.at[id], id});
	}
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, compare_positions);
	for (u32 i = 0, n = 0; i < all.n; i++) {
		n += i && compare_positions(&all.at[i - 1], &all.at[i]);
		ps->rank[all.at[i].id] = n;
	}
}

/* Pairs of a place: the surest first, with the fewest reasons, those that name the object that is
 * used, those of which neither side is in a constructor, those to which the fewest calls lead, then by position. */
static WideKey
rank_pair(const Places *ps, u32 pair, ObjId used)
{
	const Races *r = ps->r;
	const Pair *p = &r->result->pairs.at[pair];
	u32 nameless = used ? 2 - use_named(r->uses, p, used) : 0;
	Far a = far_of(r, p->a), b = far_of(r, p->b);
	u32 minor = (u32)__builtin_popcount(p->reasons) * 4 + nameless;

	minor = (minor * 4 + a.making + b.making) * 64 + a.calls + b.calls;
	return ranked(rank_key(RUNG_CONFIRMED - p->rung, minor), ps->rank[position(r, p->a)],
		      ps->rank[position(r, p->b)], pair);
}

/* Is a part of it a value without a name, "%7"?  Nobody who reads the source knows that. */
static bool
has_number(const char *name)
{
	for (; (name = strchr(name, '%')) != NULL; name++)
		if (name[1] >= '0' && name[1] <= '9')
			return true;
	return false;
}

/* The bytes that an access goes to, as its function writes them. */
static const char *
lvalue(Races *r, const Access *a)
{
	const char *name = locks_value_text(r->conc->locks, a->inst, a->addr, r->arena);

	if (!name || !*name || has_number(name))
		return NULL;
	if (*name == '&')
		return name + 1;
	return arena_printf(r->arena, "*%s", name);
}

static void
name_use(Races *r, Race *race, const Pair *p)
{
	race->obj = race->used;
	race->name = use_name(r->uses, p, race->npair, race->used);
	race->made = place_made(r, race->obj, r->arena, &race->src);
	if (!race->name)
		race->name = race->made;
}

/* Of a member that somebody forgot to lock the name is sure, as the access writes it: more than that
 * of the object, if there are several. */
static void
name_race(Races *r, Race *race, const Pair *p)
{
	narrower(r, p, &race->slot, &race->size);
	if (race->used) {
		name_use(r, race, p);
		return;
	}
	race->obj = pta_slot(r->pta, race->slot)->obj;
	race->said = notes_said(r->notes, race->slot, p);
	if (r->shapes.at[r->shape_of[p->a]].feet.n > 1 && slips(r->slips, p->a, p->b))
		race->name = lvalue(r, access_at(r, p->a));
	if (!race->name)
		race->name = place_name(r, race->slot, race->size, r->arena);
	race->made = place_made(r, race->obj, r->arena, &race->src);
	if (!race->name)
		race->name = lvalue(r, access_at(r, p->a));
	if (!race->name)
		race->name = race->made;
}

/* Turns a place into a race whose pairs go to the end of `out`. */
static Race
make(Places *ps, Place *p, Pair *out, u32 *nout)
{
	Races *r = ps->r;
	WideKey *order = arena_array(r->arena, WideKey, p->pairs.n);
	Race race = {.pair = *nout, .npair = p->pairs.n, .used = p->used};

	for (u32 i = 0; i < p->pairs.n; i++)
		order[i] = rank_pair(ps, p->pairs.at[i], p->used);
	sort_keys(r->arena, order, p->pairs.n);
	for (u32 i = 0; i < p->pairs.n; i++)
		out[(*nout)++] = r->result->pairs.at[(u32)order[i].low];
	arena_recycle(r->arena, order, p->pairs.n * sizeof *order);
	race.rung = out[race.pair].rung;
	race.reasons = out[race.pair].reasons;
	name_race(r, &race, &out[race.pair]);
	race.harm = race_harm(r, out + race.pair, race.npair);
	return race;
}

static void
sort_races(const Places *ps, const Race *races, u32 n)
{
	Races *r = ps->r;
	WideKey *order = arena_array(r->arena, WideKey, n + 1);

	for (u32 i = 0; i < n; i++) {
		u32 a = r->result->pairs.at[races[i].pair].a;

		order[i] = ranked(rank_key(RUNG_CONFIRMED - races[i].rung, races[i].harm),
				  ps->rank[position(r, a)], 0, i);
	}
	sort_keys(r->arena, order, n);
	for (u32 i = 0; i < n; i++) {
		const Race *race = &races[(u32)order[i].low];

		vec_push(r->arena, &r->result->races, *race);
		r->result->by_rung[race->rung]++;
	}
}

static u64
ins_pair(const Races *r, u32 a, u32 b)
{
	InsId x = access_at(r, a)->ins, y = access_at(r, b)->ins;

	return map_pair(MIN(x, y), MAX(x, y));
}

/* The race that all pairs of race i follow from, plus 1; 0: none. */
static u32
explained_by(const RaceResult *res, u32 i)
{
	const Race *race = &res->races.at[i];
	u32 under = res->pairs.at[race->pair].folded_under;

	for (u32 k = 0; k < race->npair; k++)
		if (!res->pairs.at[race->pair + k].folded_under)
			return 0;
	return under == i + 1 ? 0 : under;
}

enum { NO_RACE = UINT32_MAX };

/* A pair, and the pair of instructions that publishes its object. */
typedef struct Folded {
	u32 pair;
	u64 by;
} Folded;
typedef Vec(Folded) FoldedList;

/* Of the pairs of instructions in race_of: their race, plus 1. */
static void
index_races(Races *r, Map *race_of)
{
	const RaceResult *res = r->result;

	for (u32 i = 0; i < res->races.n && race_of->n; i++)
		for (u32 k = 0; k < res->races.at[i].npair; k++) {
			const Pair *p = &res->pairs.at[res->races.at[i].pair + k];
			u64 key = ins_pair(r, p->a, p->b);

			if (map_get(race_of, key))
				map_put(r->arena, race_of, key, i + 1);
		}
}

/* A pair that only an unordered publication makes possible points to the race
 * on the publishing cell. */
static void
fold(Races *r)
{
	RaceResult *res = r->result;
	FoldedList list = {0};
	Map race_of = {0};

	for (u32 i = 0; i < res->pairs.n; i++) {
		const Pair *p = &res->pairs.at[i];
		u32 store, load;

		if (!(p->reasons & 1u << REASON_PUBLICATION) ||
		    !publish_refuted_by(r->publish, pta_slot(r->pta, p->slot_a)->obj, &store,
					&load))
			continue;
		vec_push(r->arena, &list, (Folded){i, ins_pair(r, store, load)});
		map_put(r->arena, &race_of, list.at[list.n - 1].by, NO_RACE);
	}
	index_races(r, &race_of);
	for (u32 i = 0; i < list.n; i++) {
		u32 race = map_get(&race_of, list.at[i].by);

		res->pairs.at[list.at[i].pair].folded_under = race == NO_RACE ? 0 : race;
	}
	for (u32 i = 0; i < res->races.n; i++)
		res->races.at[i].under = explained_by(res, i);
}

void
places_build(Races *r)
{
	RaceResult *res = r->result;
	Pair *pairs = arena_array(r->arena, Pair, res->pairs.n + 1);
	Places ps = {.r = r};
	Race *races;
	u32 n = 0;

	group(&ps);
	rank_positions(&ps);
	races = arena_array(r->arena, Race, ps.at.n + 1);
	for (u32 i = 0; i < ps.at.n; i++)
		races[i] = make(&ps, &ps.at.at[i], pairs, &n);
	assert(n == res->pairs.n);
	res->pairs.at = pairs;
	res->pairs.cap = n + 1;
	sort_races(&ps, races, ps.at.n);
	fold(r);
	fingerprints_build(r);
}

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

/* Pairs whose cells have the same size. */
typedef struct SameSize {
	u64 size;
	bool vague;   /* anywhere in an object that has members */
	u32 first, n; /* in the order of pairs */
	u32 index;    /* before they are sorted */
} SameSize;

enum { SORT_SECOND = 1u << 31, SORT_ENDS = 1 << 30 /* which slot; one side ends the object */ };

/* What is known of an access is one number: its rank, whether it is in a constructor, and the calls. */
enum { CALLS = FAR_CALLS + 1, RANK = 2 * CALLS };

typedef struct Places {
	Races *r;
	Vec(Place) at;
	Map exact;  /* slot and size, hashed -> place plus 1; verified */
	Map object; /* ObjId -> the last place in it, plus 1 */
	Map alike;  /* hash_cell -> the last such place, plus 1 */
	Map used;   /* origin -> the place of uses of it, plus 1 */
	Map ended;  /* origin -> the place of its end, plus 1 */
	Map cells;  /* origin -> the one slot where its end races, or SEVERAL */
	Vec(SameSize) sizes;
	u32 *sort; /* [pair]: index in sizes, with SORT_*, while pairs are put to places */
	u32 *
	    rank; /* [access]: where its position comes among those of all pairs, times RANK, and more */
	struct { /* what the last pair was put by, since many alike follow each other */
		SlotId slot;
		u64 size;
		u32 at; /* 0: there is none */
	} last;
} Places;

/* What the user takes for one object: a variable, or all that one allocation
 * makes. */
static u64
origin_of(const Races *r, ObjId obj)
{
	const Obj *o = pta_obj(r->pta, obj);

	return map_pair(o->kind, o->ins ? o->ins : o->ref);
}

/* Is the second cell the narrower one?  Of two of one size, that is the one that is not any element
 * of an array. */
static bool
second_narrower(const Races *r, const Pair *p, u64 a, u64 b)
{
	bool exact = a == b && !pta_slot(r->pta, p->slot_b)->stride;

	return (b && (!a || b < a)) || (exact && pta_slot(r->pta, p->slot_a)->stride);
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

/* Notes at how many cells the ends of objects race. */
static void
note_end(Places *ps, SlotId slot)
{
	Races *r = ps->r;
	u32 *cell = map_at(r->arena, &ps->cells, origin_of(r, pta_slot(r->pta, slot)->obj));

	*cell = !*cell || *cell == slot ? slot : SEVERAL;
}

/* Puts a pair of which one side ends the object to the object. */
static bool
put_end(Places *ps, u32 pair)
{
	Races *r = ps->r;
	const Pair *p = &r->result->pairs.at[pair];
	u64 origin;
	u32 *at;

	if (!(ps->sort[pair] & SORT_ENDS))
		return false;
	origin = origin_of(r, pta_slot(r->pta, p->slot_a)->obj);
	if (map_get(&ps->cells, origin) != SEVERAL)
		return false;
	at = map_at(r->arena, &ps->ended, origin);
	if (!*at) {
		vec_push(r->arena, &ps->at, (Place){.slot = p->slot_a});
		*at = ps->at.n;
	}
	vec_push(r->arena, &ps->at.at[*at - 1].pairs, pair);
	return true;
}

/* The place of size bytes at slot, plus 1. */
static u32
place_of(Places *ps, SlotId slot, u64 size)
{
	Races *r = ps->r;
	u64 origin = origin_of(r, pta_slot(r->pta, slot)->obj);
	u64 key = map_pair(slot, hash_u64(size));
	u32 at = map_get(&ps->exact, key);

	if (!at || ps->at.at[at - 1].slot != slot || ps->at.at[at - 1].size != size)
		at = find(ps, origin, slot, size);
	if (!at) {
		at = add(ps, origin, slot, size);
		map_put(r->arena, &ps->exact, key, at);
	}
	return at;
}

static void
put(Places *ps, u32 pair, u64 size)
{
	Races *r = ps->r;
	const Pair *p = &r->result->pairs.at[pair];
	SlotId slot = ps->sort[pair] & SORT_SECOND ? p->slot_b : p->slot_a;

	if (put_use(ps, pair) || put_end(ps, pair))
		return;
	if (!ps->last.at || ps->last.slot != slot || ps->last.size != size) {
		ps->last.slot = slot;
		ps->last.size = size;
		ps->last.at = place_of(ps, slot, size);
	}
	vec_push(r->arena, &ps->at.at[ps->last.at - 1].pairs, pair);
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

/* Notes which cell of each pair is the narrower, and its size.  Many pairs that are alike follow each other. */
static void
find_sizes(Places *ps)
{
	Races *r = ps->r;
	const Pair *pairs = r->result->pairs.at;
	Map index = {0};
	SlotId last = 0;
	u32 *at = NULL;

	for (u32 i = 0; i < r->result->pairs.n; i++) {
		const Access *a = access_at(r, pairs[i].a), *b = access_at(r, pairs[i].b);
		bool second = second_narrower(r, &pairs[i], a->size, b->size);
		SlotId slot = second ? pairs[i].slot_b : pairs[i].slot_a;
		u64 size = second ? b->size : a->size;

		if (!at || slot != last || size != ps->sizes.at[*at - 1].size) {
			bool vague = is_vague(r, slot);
			at = map_at(r->arena, &index, size * 2 + vague);
			if (!*at) {
				SameSize new = {.size = size, .vague = vague, .index = ps->sizes.n};
				vec_push(r->arena, &ps->sizes, new);
				*at = ps->sizes.n;
			}
			last = slot;
		}
		ps->sizes.at[*at - 1].n++;
		ps->sort[i] = (*at - 1) | (second ? SORT_SECOND : 0);
		if ((a->flags | b->flags) & ACC_FREE) {
			ps->sort[i] |= SORT_ENDS;
			note_end(ps, slot);
		}
	}
}

/* There are few sizes, so that sorting them is sorting the pairs. */
static void
group(Places *ps)
{
	Races *r = ps->r;
	u32 n = r->result->pairs.n, *order = arena_array(r->arena, u32, n + 1), *size_at;

	ps->sort = arena_array(r->arena, u32, n + 1);
	find_sizes(ps);
	size_at = arena_array(r->arena, u32, ps->sizes.n + 1);
	if (ps->sizes.n)
		qsort(ps->sizes.at, ps->sizes.n, sizeof *ps->sizes.at, compare_sizes);
	for (u32 s = 0, first = 0; s < ps->sizes.n; first += ps->sizes.at[s++].n) {
		ps->sizes.at[s].first = first;
		size_at[ps->sizes.at[s].index] = first;
	}
	for (u32 i = 0; i < n; i++)
		order[size_at[ps->sort[i] & ~(SORT_SECOND | SORT_ENDS)]++] = i;
	for (u32 s = 0; s < ps->sizes.n; s++)
		for (u32 k = 0; k < ps->sizes.at[s].n; k++)
			put(ps, order[ps->sizes.at[s].first + k], ps->sizes.at[s].size);
	arena_recycle(r->arena, order, (n + 1) * sizeof *order);
	arena_recycle(r->arena, ps->sort, (n + 1) * sizeof *ps->sort);
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

/* Notes where the accesses of all pairs are shown, plus 1: they are far fewer than pairs. */
static void
find_positions(Places *ps)
{
	Races *r = ps->r;
	const Pair *pairs = r->result->pairs.at;

	for (u32 i = 0; i < r->result->pairs.n * 2; i++) {
		u32 access = i % 2 ? pairs[i / 2].b : pairs[i / 2].a;

		if (!ps->rank[access])
			ps->rank[access] =
			    ir_ins(r->ir, race_shown_ins(r->result, access))->src + 1;
	}
}

/* Ranks the positions that accesses have: [SrcId]. */
static u32 *
rank_sources(Places *ps)
{
	Races *r = ps->r;
	Vec(Position) all = {0};
	u32 *rank = arena_array(r->arena, u32, r->ir->srcs.n);

	for (u32 i = 0; i < r->conc->accesses.n; i++) {
		SrcId id = ps->rank[i] - 1;

		if (!ps->rank[i] || rank[id])
			continue;
		rank[id] = 1;
		vec_push(r->arena, &all, (Position){r->ir->srcs.at[id], id});
	}
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, compare_positions);
	assert(all.n < UINT32_MAX / RANK);
	for (u32 i = 0, n = 0; i < all.n; i++) {
		n += i && compare_positions(&all.at[i - 1], &all.at[i]);
		rank[all.at[i].id] = n;
	}
	arena_recycle(r->arena, all.at, all.cap * sizeof *all.at);
	return rank;
}

static void
rank_accesses(Places *ps)
{
	Races *r = ps->r;
	u32 *rank;

	ps->rank = arena_array(r->arena, u32, r->conc->accesses.n + 1);
	find_positions(ps);
	rank = rank_sources(ps);
	for (u32 i = 0; i < r->conc->accesses.n; i++)
		if (ps->rank[i]) {
			Far far = far_of(r, i);
			ps->rank[i] = (rank[ps->rank[i] - 1] * 2 + far.making) * CALLS + far.calls;
		}
	arena_recycle(r->arena, rank, r->ir->srcs.n * sizeof *rank);
}

/* Pairs of a place: the surest first, with the fewest reasons, those that name the object that is
 * used, those of which neither side is in a constructor, those to which the fewest calls lead, then by position. */
static WideKey
rank_pair(const Places *ps, u32 pair, ObjId used)
{
	const Races *r = ps->r;
	const Pair *p = &r->result->pairs.at[pair];
	u32 nameless = used ? 2 - use_named(r->uses, p, used) : 0;
	u32 a = ps->rank[p->a], b = ps->rank[p->b], minor = nameless;

	for (u32 left = p->reasons; left; left &= left - 1)
		minor += 4;
	minor = (minor * 4 + a / CALLS % 2 + b / CALLS % 2) * 64 + a % CALLS + b % CALLS;
	return ranked(rank_key(RUNG_CONFIRMED - p->rung, minor), a / RANK, b / RANK, pair);
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
	u64 a = access_at(r, p->a)->size, b = access_at(r, p->b)->size;
	bool second = second_narrower(r, p, a, b);

	race->slot = second ? p->slot_b : p->slot_a;
	race->size = second ? b : a;
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

/* Puts the pairs of the place behind the n others that are in order; the place is then a race. */
static Race
make(const Places *ps, const Place *p, u32 *order, u32 n)
{
	Races *r = ps->r;
	WideKey *keys = arena_array(r->arena, WideKey, p->pairs.n);

	for (u32 i = 0; i < p->pairs.n; i++)
		keys[i] = rank_pair(ps, p->pairs.at[i], p->used);
	sort_keys(r->arena, keys, p->pairs.n);
	for (u32 i = 0; i < p->pairs.n; i++)
		order[n + i] = (u32)keys[i].low;
	arena_recycle(r->arena, keys, p->pairs.n * sizeof *keys);
	return (Race){.pair = n, .npair = p->pairs.n, .used = p->used};
}

/* Moves pair order[i] to i, for all i; order is lost. */
static void
reorder(Pair *pairs, u32 *order, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		Pair first = pairs[i];
		u32 to = i, from;

		for (; (from = order[to]) != i; to = from) {
			pairs[to] = pairs[from];
			order[to] = to;
		}
		pairs[to] = first;
		order[to] = to;
	}
}

/* What is said of a race once its pairs are in order. */
static void
describe(Races *r, Race *race)
{
	const Pair *best = &r->result->pairs.at[race->pair];

	race->rung = best->rung;
	race->reasons = best->reasons;
	name_race(r, race, best);
	race->harm = race_harm(r, best, race->npair);
}

static void
sort_races(const Places *ps, const Race *races, u32 n)
{
	Races *r = ps->r;
	WideKey *order = arena_array(r->arena, WideKey, n + 1);

	for (u32 i = 0; i < n; i++) {
		u32 a = r->result->pairs.at[races[i].pair].a;

		order[i] = ranked(rank_key(RUNG_CONFIRMED - races[i].rung, races[i].harm),
				  ps->rank[a] / RANK, 0, i);
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
	Places ps = {.r = r};
	u32 *order = arena_array(r->arena, u32, res->pairs.n + 1), n = 0;
	Race *races;

	group(&ps);
	rank_accesses(&ps);
	races = arena_array(r->arena, Race, ps.at.n + 1);
	for (u32 i = 0; i < ps.at.n; n += races[i++].npair)
		races[i] = make(&ps, &ps.at.at[i], order, n);
	assert(n == res->pairs.n);
	reorder(res->pairs.at, order, n);
	arena_recycle(r->arena, order, (n + 1) * sizeof *order);
	for (u32 i = 0; i < ps.at.n; i++)
		describe(r, &races[i]);
	sort_races(&ps, races, ps.at.n);
	fold(r);
	fingerprints_build(r);
}

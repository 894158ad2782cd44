/* context.c - what the stages ask of an access, apart from its memory.
 *
 * A ctx is (kind, flags, when, guard, family).  Two whens (a thread and its order), or
 * two guards, that relate alike to all others are one: the verdict of every
 * pair stays the same, and far fewer ctxs are left.  What a ctx survives with
 * is a bit set of ctxs for each test; what a set of ctxs survives with is the
 * union of those, so a pair of sets is judged by a few intersections. */
#include "race/race_int.h"

#include <string.h>

enum { DENSE = 4096 }; /* items of a relation that are compared with each other first */

/* A symmetric relation of items that are numbered from 0, a few bits wide. */
typedef struct Relation {
	u32 n;
	u32 *class; /* [item]: its first like */
	u32 *row;   /* [item]: of the matrix, if class[item] = item */
	u8 *matrix;
	u32 width;
	Map memo; /* instead of the matrix */
} Relation;

enum { TWO_THREADS = 1, PARALLEL = 2 };   /* of whens */
enum { EXCLUDED = 1, EXCLUDED_SAME = 2 }; /* of guards */

/* Each but the first two comes in as many kinds as there are bits of a meeting. */
enum {
	TEST_MEET,
	TEST_ESCAPE,
	TEST_PARALLEL,
	TEST_UNGUARDED = TEST_PARALLEL + 8,
	TEST_FIND = TEST_UNGUARDED + 8,
	TEST_COUNT = TEST_FIND + 8
};

typedef struct When {
	ThreadId thread;
	OrderId order;
} When;

typedef struct Rows {
	Set *at;
	bool *known;
} Rows;

struct Contexts {
	Races *r;
	Intern keys;
	Vec(Ctx) at; /* [ctx], from 1 */
	SetPool sets;
	Map when_index, guard_index; /* plus 1 */
	Vec(When) whens;
	Vec(GuardId) guards;
	Relation when, guard;
	Rows row[TEST_COUNT];   /* [ctx] */
	Rows reach[TEST_COUNT]; /* [SetId] */
	Map stages;             /* pair of sets -> 3 bits for each variant: the stage plus 1 */
};

static u32
relate_whens(const struct Contexts *cs, u32 i, u32 j)
{
	const Order *o = cs->r->conc->order;
	When x = cs->whens.at[i], y = cs->whens.at[j];
	u32 bits = x.thread != y.thread || order_self_overlap(o, x.thread) ? TWO_THREADS : 0;

	return bits | (order_parallel(o, x.thread, x.order, y.thread, y.order) ? PARALLEL : 0);
}

static u32
relate_guards(const struct Contexts *cs, u32 i, u32 j)
{
	GuardId x = cs->guards.at[i], y = cs->guards.at[j];
	u32 bits = 0, why;

	if (!x || !y)
		return 0;
	if (locks_exclude(cs->r->conc->locks, x, y, true, &why))
		bits |= EXCLUDED_SAME;
	if (bits && locks_exclude(cs->r->conc->locks, x, y, false, &why))
		bits |= EXCLUDED;
	return bits;
}

typedef u32 (*Relate)(const struct Contexts *cs, u32 i, u32 j);

/* Items with equal rows become one. */
static void
merge(const struct Contexts *cs, Relation *l, Relate relate, Arena *scratch)
{
	Arena *a = cs->r->arena;
	Intern rows;
	VecU32 first = {0};
	u8 *row = arena_array(scratch, u8, l->n + 1);

	intern_init(&rows, scratch);
	for (u32 i = 0; i < l->n; i++) {
		u32 id;

		for (u32 j = 0; j < l->n; j++)
			row[j] = (u8)relate(cs, i, j);
		id = intern_bytes(&rows, row, l->n);
		if (id > first.n)
			vec_push(scratch, &first, i);
		l->class[i] = first.at[id - 1];
	}
	l->width = first.n;
	l->matrix = arena_array(a, u8, (size_t)first.n * first.n + 1);
	for (u32 i = 0; i < first.n; i++) {
		l->row[first.at[i]] = i;
		for (u32 j = 0; j < first.n; j++)
			l->matrix[(size_t)i * first.n + j] =
			    (u8)intern_get(&rows, i + 1)[first.at[j]];
	}
}

static void
relation_build(const struct Contexts *cs, Relation *l, u32 n, Relate relate)
{
	Arena scratch;

	l->n = n;
	l->class = arena_array(cs->r->arena, u32, n + 1);
	l->row = arena_array(cs->r->arena, u32, n + 1);
	for (u32 i = 0; i < n; i++)
		l->class[i] = i;
	if (n > DENSE)
		return;
	arena_init(&scratch, cs->r->arena->budget);
	merge(cs, l, relate, &scratch);
	arena_release(&scratch);
}

static u32
related(const struct Contexts *cs, Relation *l, u32 i, u32 j, Relate relate)
{
	u32 *at;

	if (l->matrix)
		return l->matrix[(size_t)l->row[i] * l->width + l->row[j]];
	at = map_at(cs->r->arena, &l->memo, map_pair(MIN(i, j), MAX(i, j)));
	if (!*at)
		*at = 1 + relate(cs, i, j);
	return *at - 1;
}

struct Contexts *
contexts_new(Races *r)
{
	struct Contexts *cs = arena_new(r->arena, struct Contexts);

	cs->r = r;
	intern_init(&cs->keys, r->arena);
	setpool_init(&cs->sets, r->arena);
	vec_push(r->arena, &cs->at, (Ctx){0});
	for (u32 i = 0; i < r->conc->accesses.n; i++) {
		const Access *a = access_at(r, i);
		u32 *when = map_at(r->arena, &cs->when_index, map_pair(a->thread, a->order));
		u32 *guard;

		if (!*when) {
			vec_push(r->arena, &cs->whens, (When){a->thread, a->order});
			*when = cs->whens.n;
		}
		guard = map_at(r->arena, &cs->guard_index, a->guards);
		if (!*guard) {
			vec_push(r->arena, &cs->guards, a->guards);
			*guard = cs->guards.n;
		}
	}
	relation_build(cs, &cs->when, cs->whens.n, relate_whens);
	relation_build(cs, &cs->guard, cs->guards.n, relate_guards);
	return cs;
}

u32
context_of(struct Contexts *cs, const Access *a, u32 kind, u32 flags)
{
	u32 when = map_get(&cs->when_index, map_pair(a->thread, a->order)) - 1;
	u32 guard = map_get(&cs->guard_index, a->guards) - 1;
	Ctx c = {kind, flags, cs->when.class[when], cs->guard.class[guard], a->family};
	u32 id = intern_bytes(&cs->keys, &c, sizeof c);

	if (id == cs->at.n)
		vec_push(cs->r->arena, &cs->at, c);
	return id;
}

const Ctx *
context_get(const struct Contexts *cs, u32 ctx)
{
	return &cs->at.at[ctx];
}

SetId
contexts_set(struct Contexts *cs, const Set *s)
{
	return setpool_intern(&cs->sets, s);
}

const Set *
contexts_get(const struct Contexts *cs, SetId id)
{
	return setpool_get(&cs->sets, id);
}

/* ---- tests of two ctxs --------------------------------------------------- */

static bool
parallel(struct Contexts *cs, const Ctx *x, const Ctx *y)
{
	return related(cs, &cs->when, x->when, y->when, relate_whens) & PARALLEL;
}

static bool
excluded(struct Contexts *cs, const Ctx *x, const Ctx *y, u32 bits)
{
	return related(cs, &cs->guard, x->guard, y->guard, relate_guards) &
	       (bits & MEET_OTHER ? EXCLUDED : EXCLUDED_SAME);
}

/* Does one side come before anybody else can see the object?  What both sides
 * still have for themselves is two objects. */
static bool
unpublished(const Ctx *x, const Ctx *y, u32 bits)
{
	bool fx = x->flags & ACC_FRESH, fy = y->flags & ACC_FRESH;

	return (fx && fy) || (fx && (bits & MEET_ORDERED_X)) || (fy && (bits & MEET_ORDERED_Y));
}

/* Can the two touch one cell, as far as that is not for the shapes to say? */
static bool
meet(const struct Contexts *cs, const Ctx *x, const Ctx *y)
{
	if (!flags_conflict(x->flags, y->flags))
		return false;
	if (cs->r->opt->without[STAGE_ALIASING])
		return x->kind == y->kind;
	return !x->family || x->family != y->family;
}

/* Do two threads, or two instances of one, touch what is not each one's own? */
static bool
escape(struct Contexts *cs, const Ctx *x, const Ctx *y)
{
	if (cs->r->opt->without[STAGE_ESCAPING])
		return true;
	return (related(cs, &cs->when, x->when, y->when, relate_whens) & TWO_THREADS) &&
	       !(x->flags & y->flags & CTX_OWN);
}

/* May y read what x wrote, with nothing that orders the two? */
static bool
finds(struct Contexts *cs, const Ctx *x, const Ctx *y, u32 bits)
{
	return (y->flags & CTX_READS) && parallel(cs, x, y) &&
	       !((x->flags & CTX_RELEASE) && (y->flags & CTX_ACQUIRE)) &&
	       !unpublished(x, y, bits) && !excluded(cs, x, y, bits);
}

static bool
passes(struct Contexts *cs, const Ctx *x, const Ctx *y, u32 test)
{
	const bool *without = cs->r->opt->without;

	if (test >= TEST_FIND)
		return finds(cs, x, y, test - TEST_FIND);
	if (!meet(cs, x, y))
		return false;
	if (test >= TEST_ESCAPE && !escape(cs, x, y))
		return false;
	if (test >= TEST_PARALLEL && !without[STAGE_PARALLEL] &&
	    (!parallel(cs, x, y) || unpublished(x, y, (test - TEST_PARALLEL) % 8)))
		return false;
	return test < TEST_UNGUARDED || without[STAGE_UNGUARDED] ||
	       !excluded(cs, x, y, test - TEST_UNGUARDED);
}

/* ---- and of sets of them -------------------------------------------------- */

static void
rows_init(Arena *a, Rows *rows, u32 n)
{
	if (rows->at)
		return;
	rows->at = arena_array(a, Set, n + 1);
	rows->known = arena_array(a, bool, n + 1);
}

static const Set *
row(struct Contexts *cs, u32 x, u32 test)
{
	Rows *rows = &cs->row[test];

	rows_init(cs->r->arena, rows, cs->at.n);
	for (u32 y = 1; !rows->known[x] && y < cs->at.n; y++)
		if (passes(cs, &cs->at.at[x], &cs->at.at[y], test))
			set_add(cs->r->arena, &rows->at[x], y);
	rows->known[x] = true;
	return &rows->at[x];
}

static const Set *
reach(struct Contexts *cs, SetId x, u32 test)
{
	Rows *rows = &cs->reach[test];

	rows_init(cs->r->arena, rows, cs->sets.n);
	if (!rows->known[x])
		SET_FOR (it, setpool_get(&cs->sets, x))
			set_or(cs->r->arena, &rows->at[x], row(cs, it.x, test));
	rows->known[x] = true;
	return &rows->at[x];
}

static Stage
furthest(struct Contexts *cs, SetId x, SetId y, Variant v)
{
	const Set *s = setpool_get(&cs->sets, y);
	u32 bits = v - VARIANT_SHARED;

	if (!set_meets(reach(cs, x, TEST_MEET), s))
		return STAGE_ORIGINAL;
	if (v < VARIANT_SHARED || !set_meets(reach(cs, x, TEST_ESCAPE), s))
		return STAGE_ALIASING;
	if (!set_meets(reach(cs, x, TEST_PARALLEL + (bits & ~(u32)MEET_OTHER)), s))
		return STAGE_ESCAPING;
	return set_meets(reach(cs, x, TEST_UNGUARDED + bits), s) ? STAGE_UNGUARDED : STAGE_PARALLEL;
}

Stage
contexts_stage(struct Contexts *cs, SetId x, SetId y, Variant v)
{
	u32 *at = map_at(cs->r->arena, &cs->stages, map_pair(x, y));
	u32 known = *at >> v * 3 & 7, stage;

	if (known)
		return (Stage)(known - 1);
	stage = furthest(cs, x, y, v);
	*at |= (stage + 1) << v * 3;
	return (Stage)stage;
}

bool
contexts_race(struct Contexts *cs, u32 x, u32 y, Variant v)
{
	return v >= VARIANT_SHARED && set_has(row(cs, x, TEST_UNGUARDED + v - VARIANT_SHARED), y);
}

const Set *
contexts_finding(struct Contexts *cs, u32 x, Variant v)
{
	return row(cs, x, TEST_FIND + v - VARIANT_SHARED);
}

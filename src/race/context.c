/* context.c - what the stages ask of an access, apart from its memory.
 *
 * A ctx is (kind, flags, when, guard, family).  Two whens (a thread and its order), or
 * two guards (guards.c), that relate alike to all others are one: the verdict of every
 * pair stays the same, and fewer ctxs are left.  Each part of a ctx agrees with
 * a bit set of ctxs in each test; what a ctx survives with is what all its
 * parts agree with, and what a set of ctxs survives with is the union of
 * those, so a pair of sets is judged by a few intersections. */
#include "race/guards.h"
#include "race/race_int.h"

#include <string.h>

enum {
	DENSE = 4096, /* items of a relation that are compared with each other first */
	FEW = 16,     /* pairs of ctxs that are looked at one by one */
	TABLE = 2048  /* sets of ctxs of which a table of pairs is made */
};

/* A symmetric relation of items that are numbered from 0, a few bits wide. */
typedef struct Relation {
	u32 n;
	u32 *class; /* [item]: its first like */
	u32 *row;   /* [item]: of the matrix, if class[item] = item */
	u8 *matrix;
	u32 width;
	Map memo; /* instead of the matrix */
} Relation;

enum { TWO_THREADS = 1, PARALLEL = 2 }; /* of whens */

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
	Map when_index; /* plus 1 */
	Vec(When) whens;
	Relation when;
	Guards *guards;
	Set *by_guard; /* [class, < nguard]: the ctxs with it, once all are known */
	u32 nguard;
	Map excluded_index; /* (same slot, class) -> index in excluded, plus 1 */
	Vec(Set) excluded;  /* ctxs */
	Map agreeing_index; /* (aspect and test, value) -> index in agreeing, plus 1 */
	Vec(Set) agreeing;
	Map finding_index; /* (test, ctx) -> index in finding, plus 1 */
	Vec(Set) finding;
	Rows reach[TEST_COUNT]; /* [SetId] */
	Set scratch;
	u32 *table; /* [pair of sets, each < ntable]: 3 bits for each variant: the stage plus 1 */
	u32 ntable;
	Map stages; /* the same for all others */
};

static u32
relate_whens(const struct Contexts *cs, u32 i, u32 j)
{
	const Order *o = cs->r->conc->order;
	When x = cs->whens.at[i], y = cs->whens.at[j];
	u32 bits = x.thread != y.thread || order_self_overlap(o, x.thread) ? TWO_THREADS : 0;

	return bits | (order_parallel(o, x.thread, x.order, y.thread, y.order) ? PARALLEL : 0);
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

/* What guards the access; by the rule of allocation sites, a set of those. */
static GuardId
guards_of(Races *r, const Access *a)
{
	return r->opt->site_locks ? site_locks_at(r->site_locks, a) : a->guards;
}

static void
add_guard(struct Contexts *cs, u32 guard)
{
	Races *r = cs->r;
	Set facts = {0};

	if (guards_has(cs->guards, guard))
		return;
	if (r->opt->site_locks)
		site_locks_facts(r->site_locks, guard, &facts);
	else
		set_copy(r->arena, &facts, locks_facts(r->conc->locks, guard));
	guards_add(cs->guards, guard, &facts);
}

struct Contexts *
contexts_new(Races *r)
{
	struct Contexts *cs = arena_new(r->arena, struct Contexts);

	cs->r = r;
	cs->guards = guards_new(r->arena, r->opt->site_locks ? NULL : r->conc->locks);
	intern_init(&cs->keys, r->arena);
	setpool_init(&cs->sets, r->arena);
	vec_push(r->arena, &cs->at, (Ctx){0});
	for (u32 i = 0; i < r->conc->accesses.n; i++) {
		const Access *a = access_at(r, i);
		u32 *when = map_at(r->arena, &cs->when_index, map_pair(a->thread, a->order));

		if (!*when) {
			vec_push(r->arena, &cs->whens, (When){a->thread, a->order});
			*when = cs->whens.n;
		}
		add_guard(cs, guards_of(r, a));
	}
	relation_build(cs, &cs->when, cs->whens.n, relate_whens);
	guards_solve(cs->guards);
	return cs;
}

u32
context_of(struct Contexts *cs, const Access *a, u32 kind, u32 flags)
{
	u32 when = map_get(&cs->when_index, map_pair(a->thread, a->order)) - 1;
	Ctx c = {kind, flags, cs->when.class[when], guards_class(cs->guards, guards_of(cs->r, a)),
		 a->family};
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

/* Does one side come before anybody else can see the object?  What both sides
 * still have for themselves is two objects. */
static bool
unpublished(const Ctx *x, const Ctx *y, u32 bits)
{
	bool fx = x->flags & ACC_FRESH, fy = y->flags & ACC_FRESH;

	return (fx && fy) || (fx && (bits & MEET_ORDERED_X)) || (fy && (bits & MEET_ORDERED_Y));
}

/* Is one side the store of a final field, and the other a read of it? */
static bool
frozen(const Ctx *x, const Ctx *y)
{
	return ((x->flags & ACC_FROZEN) && !(y->flags & ACC_WRITE)) ||
	       ((y->flags & ACC_FROZEN) && !(x->flags & ACC_WRITE));
}

/* The flags' part of a test: do they conflict, is it not each thread's own,
 * has it been published? */
static bool
flags_agree(const struct Contexts *cs, const Ctx *x, const Ctx *y, u32 test)
{
	const bool *without = cs->r->opt->without;

	if (test >= TEST_FIND)
		return (y->flags & CTX_READS) &&
		       !((x->flags & CTX_RELEASE) && (y->flags & CTX_ACQUIRE)) &&
		       !unpublished(x, y, test - TEST_FIND);
	return flags_conflict(x->flags, y->flags) &&
	       (test < TEST_ESCAPE || without[STAGE_ESCAPING] ||
		!(x->flags & y->flags & CTX_OWN)) &&
	       (test < TEST_PARALLEL || without[STAGE_PARALLEL] ||
		!(unpublished(x, y, (test - TEST_PARALLEL) % 8) || frozen(x, y)));
}

/* Are they two threads, or two instances of one, and may they run at once? */
static bool
whens_agree(struct Contexts *cs, const Ctx *x, const Ctx *y, u32 test)
{
	const bool *without = cs->r->opt->without;
	u32 bits = related(cs, &cs->when, x->when, y->when, relate_whens);

	if (test >= TEST_FIND)
		return bits & PARALLEL;
	return (test < TEST_ESCAPE || without[STAGE_ESCAPING] || (bits & TWO_THREADS)) &&
	       (test < TEST_PARALLEL || without[STAGE_PARALLEL] || (bits & PARALLEL));
}

/* Does the test look at guards? */
static bool
asks_guards(const struct Contexts *cs, u32 test)
{
	return test >= TEST_FIND ||
	       (test >= TEST_UNGUARDED && !cs->r->opt->without[STAGE_UNGUARDED]);
}

static const Set *
excluded(const struct Contexts *cs, const Ctx *x, u32 test)
{
	return guards_excluded(cs->guards, x->guard, !((test - TEST_UNGUARDED) & MEET_OTHER));
}

static bool
guards_agree(struct Contexts *cs, const Ctx *x, const Ctx *y, u32 test)
{
	return !asks_guards(cs, test) || !set_has(excluded(cs, x, test), y->guard);
}

/* Can the two touch one cell, as far as that is not for the shapes to say? */
static bool
cells_agree(const struct Contexts *cs, const Ctx *x, const Ctx *y, u32 test)
{
	if (test >= TEST_FIND)
		return true;
	if (cs->r->opt->without[STAGE_ALIASING])
		return x->kind == y->kind;
	return !x->family || x->family != y->family;
}

/* ---- and of sets of them -------------------------------------------------- */

/* What a test asks of a ctx, each part by itself. */
typedef enum Aspect { ASPECT_FLAGS, ASPECT_WHEN, ASPECT_GUARD, ASPECT_CELLS, ASPECT_COUNT } Aspect;

static bool
agree(struct Contexts *cs, Aspect aspect, const Ctx *x, const Ctx *y, u32 test)
{
	switch (aspect) {
	case ASPECT_FLAGS: return flags_agree(cs, x, y, test);
	case ASPECT_WHEN: return whens_agree(cs, x, y, test);
	case ASPECT_GUARD: return guards_agree(cs, x, y, test);
	default: return cells_agree(cs, x, y, test);
	}
}

static u32
aspect_of(const struct Contexts *cs, Aspect aspect, const Ctx *x)
{
	switch (aspect) {
	case ASPECT_FLAGS: return x->flags;
	case ASPECT_WHEN: return x->when;
	case ASPECT_GUARD: return x->guard;
	default: return cs->r->opt->without[STAGE_ALIASING] ? x->kind : x->family;
	}
}

static void
index_guards(struct Contexts *cs)
{
	Arena *a = cs->r->arena;
	u32 n = 0;

	for (u32 y = 1; y < cs->at.n; y++)
		n = MAX(n, cs->at.at[y].guard + 1);
	cs->by_guard = arena_array(a, Set, n);
	for (u32 y = 1; y < cs->at.n; y++)
		set_add(a, &cs->by_guard[cs->at.at[y].guard], y);
	cs->nguard = n;
}

/* The ctxs whose guard excludes x's: few, so that they are kept, not the rest. */
static const Set *
excluded_ctxs(struct Contexts *cs, const Ctx *x, u32 test)
{
	Arena *a = cs->r->arena;
	u32 same = !((test - TEST_UNGUARDED) & MEET_OTHER);
	u32 *at = map_at(a, &cs->excluded_index, map_pair(same, x->guard));
	Set s = {0};

	if (*at)
		return &cs->excluded.at[*at - 1];
	if (!cs->by_guard)
		index_guards(cs);
	SET_FOR (it, guards_excluded(cs->guards, x->guard, same))
		if (it.x < cs->nguard)
			SET_FOR (ctx, &cs->by_guard[it.x])
				set_add(a, &s, ctx.x);
	vec_push(a, &cs->excluded, s);
	*at = cs->excluded.n;
	return &cs->excluded.at[*at - 1];
}

/* The ctxs that agree with x in one aspect: the same for all that are like x
 * in it. */
static const Set *
agreeing(struct Contexts *cs, Aspect aspect, const Ctx *x, u32 test)
{
	Arena *a = cs->r->arena;
	u64 key = map_pair(aspect * TEST_COUNT + test, aspect_of(cs, aspect, x));
	u32 *at = map_at(a, &cs->agreeing_index, key);
	Set s = {0};

	if (!*at) {
		for (u32 y = 1; y < cs->at.n; y++)
			if (agree(cs, aspect, x, &cs->at.at[y], test))
				set_add(a, &s, y);
		vec_push(a, &cs->agreeing, s);
		*at = cs->agreeing.n;
	}
	return &cs->agreeing.at[*at - 1];
}

/* Fills out with the ctxs that pass the test with x. */
static void
find_row(struct Contexts *cs, u32 x, u32 test, Set *out)
{
	const Ctx *c = &cs->at.at[x];

	set_copy(cs->r->arena, out, agreeing(cs, ASPECT_FLAGS, c, test));
	for (Aspect k = ASPECT_FLAGS + 1; k < ASPECT_COUNT; k++)
		if (k != ASPECT_GUARD)
			set_and(out, agreeing(cs, k, c, test));
	if (asks_guards(cs, test))
		set_minus(out, excluded_ctxs(cs, c, test));
}

static const Set *
reach(struct Contexts *cs, SetId x, u32 test)
{
	Rows *rows = &cs->reach[test];
	Arena *a = cs->r->arena;

	if (!rows->at) {
		rows->at = arena_array(a, Set, cs->sets.n + 1);
		rows->known = arena_array(a, bool, cs->sets.n + 1);
	}
	if (!rows->known[x])
		SET_FOR (it, setpool_get(&cs->sets, x)) {
			find_row(cs, it.x, test, &cs->scratch);
			set_or(a, &rows->at[x], &cs->scratch);
		}
	rows->known[x] = true;
	return &rows->at[x];
}

static bool
pass(struct Contexts *cs, u32 x, u32 y, u32 test)
{
	bool all = true;

	for (Aspect k = 0; all && k < ASPECT_COUNT; k++)
		all = agree(cs, k, &cs->at.at[x], &cs->at.at[y], test);
	return all;
}

/* Does some ctx of x pass the test with some of y?  Few are looked at one by
 * one: most sets meet only few others. */
static bool
some_pass(struct Contexts *cs, SetId x, SetId y, u32 test)
{
	const Set *s = setpool_get(&cs->sets, x), *t = setpool_get(&cs->sets, y);

	if (s->n > FEW || t->n > FEW || set_count(s) * set_count(t) > FEW)
		return set_meets(reach(cs, x, test), t);
	SET_FOR (i, s)
		SET_FOR (k, t)
			if (pass(cs, i.x, k.x, test))
				return true;
	return false;
}

/* Each test asks more than the one before it. */
static Stage
furthest(struct Contexts *cs, SetId x, SetId y, Variant v)
{
	u32 bits = v - VARIANT_SHARED;

	if (v >= VARIANT_SHARED) {
		if (some_pass(cs, x, y, TEST_UNGUARDED + bits))
			return STAGE_UNGUARDED;
		if (some_pass(cs, x, y, TEST_PARALLEL + (bits & ~(u32)MEET_OTHER)))
			return STAGE_PARALLEL;
		if (some_pass(cs, x, y, TEST_ESCAPE))
			return STAGE_ESCAPING;
	}
	return some_pass(cs, x, y, TEST_MEET) ? STAGE_ALIASING : STAGE_ORIGINAL;
}

/* Nearly all sets are there at the first question. */
static void
make_table(struct Contexts *cs)
{
	if (cs->table)
		return;
	cs->ntable = cs->sets.n < TABLE ? cs->sets.n + 1 : 1;
	cs->table = arena_array(cs->r->arena, u32, (size_t)cs->ntable * cs->ntable);
}

/* What is known of two sets. */
static u32 *
known_of(struct Contexts *cs, SetId x, SetId y)
{
	make_table(cs);
	if (x < cs->ntable && y < cs->ntable)
		return &cs->table[x * cs->ntable + y];
	return map_at(cs->r->arena, &cs->stages, map_pair(x, y));
}

const u32 *
contexts_known(struct Contexts *cs, SetId x)
{
	make_table(cs);
	return cs->ntable >= cs->sets.n ? cs->table + (size_t)x * cs->ntable : NULL;
}

Stage
contexts_stage(struct Contexts *cs, SetId x, SetId y, Variant v)
{
	u32 *at = known_of(cs, x, y);
	u32 known = known_stage(*at, v), stage;

	if (known)
		return (Stage)(known - 1);
	stage = furthest(cs, x, y, v);
	*at |= (stage + 1) << v * 3;
	return (Stage)stage;
}

bool
contexts_race(struct Contexts *cs, u32 x, u32 y, Variant v)
{
	return v >= VARIANT_SHARED && pass(cs, x, y, TEST_UNGUARDED + v - VARIANT_SHARED);
}

const Set *
contexts_finding(struct Contexts *cs, u32 x, Variant v)
{
	u32 test = TEST_FIND + v - VARIANT_SHARED;
	u32 *at = map_at(cs->r->arena, &cs->finding_index, map_pair(test, x));
	Set row = {0};

	if (!*at) {
		find_row(cs, x, test, &row);
		vec_push(cs->r->arena, &cs->finding, row);
		*at = cs->finding.n;
	}
	return &cs->finding.at[*at - 1];
}

/* test_set.c - sparse sets against arrays of bool. */
#include "unit.h"

#include "base/set.h"

#include <string.h>

enum { SETS = 6, RANGE = 700 };

typedef struct Model {
	Set set;
	bool has[RANGE];
} Model;

static void
compare(const Model *m)
{
	u32 count = 0, next = 0;

	for (u32 x = 0; x < RANGE; x++) {
		assert_int_equal(set_has(&m->set, x), m->has[x]);
		count += m->has[x];
	}
	assert_int_equal(set_count(&m->set), count);
	assert_int_equal(set_empty(&m->set), count == 0);
	SET_FOR (it, &m->set) {
		while (!m->has[next])
			next++;
		assert_int_equal(it.x, next);
		if (count)
			assert_true(next != set_first(&m->set) || it.x == set_first(&m->set));
		next++;
		count--;
	}
	assert_int_equal(count, 0);
}

/* Elements come in clusters, so that words are shared as well as apart. */
static u32
element(Rand *r)
{
	return rand_below(r, 3) ? 64 * rand_below(r, RANGE / 64) + rand_below(r, 4)
				: rand_below(r, RANGE);
}

typedef enum Op { ADD, DEL, OR, OR_MINUS, AND, MINUS, COPY, ROW, CLEAR, OPS } Op;

/* What the operation makes of x's bit in s, given those in t and u. */
static bool
expect(Op op, bool s, bool t, bool u)
{
	switch (op) {
	case ROW:
	case OR: return s || t;
	case OR_MINUS: return s || (t && !u);
	case AND: return s && t;
	case MINUS: return s && !t;
	case COPY: return t;
	default: return false;
	}
}

/* The union, by way of a row of bits. */
static void
or_by_row(Arena *a, Set *s, const Set *t)
{
	u64 row[RANGE / 64 + 1] = {0};

	set_to_row(s, row);
	set_to_row(t, row);
	set_clear(s);
	set_from_row(a, s, row, COUNT(row));
	for (u32 i = 0; i < COUNT(row); i++)
		assert_int_equal(row[i], 0);
}

/* Does the operation on s->set and says whether it claims a change. */
static bool
act(Arena *a, Op op, Model *s, const Model *t, const Model *u)
{
	switch (op) {
	case OR: return set_or(a, &s->set, &t->set);
	case OR_MINUS: return set_or_minus(a, &s->set, &t->set, &u->set);
	case AND: return set_and(&s->set, &t->set);
	case MINUS: return set_minus(&s->set, &t->set);
	case COPY: set_copy(a, &s->set, &t->set); return false;
	case ROW: or_by_row(a, &s->set, &t->set); return false;
	default: set_clear(&s->set); return false;
	}
}

static void
step(Arena *a, Rand *r, Model *m)
{
	Model *s = &m[rand_below(r, SETS)], *t = &m[rand_below(r, SETS)];
	Model *u = &m[rand_below(r, SETS)];
	Op op = rand_below(r, 2) ? rand_below(r, 2) : rand_below(r, OPS);
	bool changed = false, claimed;
	u32 x = element(r);

	if (op == OR_MINUS && u == s)
		return;
	if (op == ADD || op == DEL) {
		claimed = op == ADD ? set_add(a, &s->set, x) : set_del(&s->set, x);
		assert_int_equal(claimed, s->has[x] != (op == ADD));
		s->has[x] = op == ADD;
		return;
	}
	claimed = act(a, op, s, t, u);
	for (x = 0; x < RANGE; x++) {
		bool now = expect(op, s->has[x], t->has[x], u->has[x]);
		changed |= now != s->has[x];
		s->has[x] = now;
	}
	if (op < COPY)
		assert_int_equal(claimed, changed);
	compare(s);
}

static void
relations(const Model *s, const Model *t)
{
	bool within = true, meets = false, same;

	for (u32 x = 0; x < RANGE; x++) {
		within &= !s->has[x] || t->has[x];
		meets |= s->has[x] && t->has[x];
	}
	same = !memcmp(s->has, t->has, sizeof s->has);
	assert_int_equal(set_within(&s->set, &t->set), within);
	assert_int_equal(set_meets(&s->set, &t->set), meets);
	assert_int_equal(set_eq(&s->set, &t->set), same);
	if (same)
		assert_int_equal(set_hash(&s->set), set_hash(&t->set));
}

static void
sets_against_arrays(void **state)
{
	static Model m[SETS];
	Rand r = {4};
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	memset(m, 0, sizeof m);
	for (u32 i = 0; i < 20000; i++) {
		step(&a, &r, m);
		if (i % 8 == 0)
			relations(&m[rand_below(&r, SETS)], &m[rand_below(&r, SETS)]);
	}
	arena_release(&a);
}

/* Equal sets have equal ids, and the memoised operations agree with the plain
 * ones, also when asked again. */
static void
pool_against_sets(void **state)
{
	SetPool p;
	SetId ids[64] = {0};
	Rand r = {5};
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	setpool_init(&p, &a);
	for (u32 i = 0; i < 5000; i++) {
		SetId *to = &ids[rand_below(&r, COUNT(ids))];
		SetId x = ids[rand_below(&r, COUNT(ids))], y = ids[rand_below(&r, COUNT(ids))];
		u32 e = rand_below(&r, 100), op = rand_below(&r, 4);
		Set s = {0};
		set_copy(&a, &s, setpool_get(&p, x));
		if (op == 0)
			set_or(&a, &s, setpool_get(&p, y));
		else if (op == 1)
			set_and(&s, setpool_get(&p, y));
		else if (op == 2)
			set_add(&a, &s, e);
		else
			set_del(&s, e);
		*to = op == 0   ? setpool_union(&p, x, y)
		      : op == 1 ? setpool_meet(&p, x, y)
		      : op == 2 ? setpool_add(&p, x, e)
				: setpool_del(&p, x, e);
		assert_true(set_eq(setpool_get(&p, *to), &s));
		assert_int_equal(setpool_intern(&p, &s), *to);
		assert_int_equal(*to == 0, set_empty(&s));
	}
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sets_against_arrays),
	    cmocka_unit_test(pool_against_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

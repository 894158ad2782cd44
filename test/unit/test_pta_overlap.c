/* test_pta_overlap.c - the overlap of places against bytes painted one by one. */
#include "unit.h"

#include "pta/pta_int.h"

#include <string.h>

enum { BYTES = 400 };

/* Paints what n bytes (0: to the end) at each place of x cover, up to size. */
static void
paint(bool *bytes, Slot x, u64 n, i64 size)
{
	i64 first = x.off, last = x.off;

	memset(bytes, 0, BYTES * sizeof *bytes);
	if (x.stride)
		last = size - 1;
	for (i64 at = first; at <= last; at += x.stride ? x.stride : 1)
		for (i64 b = MAX(at, 0); b < size && (!n || b < at + (i64)n); b++)
			bytes[b] = true;
}

static bool
meet(const bool *x, const bool *y)
{
	for (u32 b = 0; b < BYTES; b++)
		if (x[b] && y[b])
			return true;
	return false;
}

static Slot
random_slot(Rand *r)
{
	static const u32 strides[] = {0, 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 40};
	Slot x = {.obj = 1, .stride = strides[rand_below(r, COUNT(strides))]};

	x.off = x.stride ? rand_below(r, x.stride) : (i64)rand_below(r, 60) - 12;
	return x;
}

static void
test_overlap(void **state)
{
	Rand r = {7};
	Obj objs[2] = {{0}};
	ObjInfo info = {0};
	Pta p = {0};
	bool x[BYTES], y[BYTES];
	u32 yes = 0, no = 0;

	(void)state;
	p.objs.at = objs;
	p.objs.n = 2;
	for (u32 i = 0; i < 60000; i++) {
		Slot a = random_slot(&r), b = random_slot(&r);
		u64 m = rand_below(&r, 17), n = rand_below(&r, 17);
		bool known = rand_below(&r, 4) != 0;
		/* Without a bound all pairs of these strides meet within BYTES, or never. */
		objs[1].size = known ? 1 + rand_below(&r, 70) : 0;
		paint(x, a, m, known ? (i64)objs[1].size : BYTES);
		paint(y, b, n, known ? (i64)objs[1].size : BYTES);
		assert_int_equal(slot_overlap(&p, &info, a, m, b, n), meet(x, y));
		assert_int_equal(slot_overlap(&p, &info, b, n, a, m), meet(x, y));
		yes += meet(x, y);
		no += !meet(x, y);
	}
	assert_true(yes > 5000 && no > 5000);
}

/* Many places on both sides: by residues, which must not miss any. */
static void
test_large(void **state)
{
	Rand r = {3};
	Obj objs[2] = {{0}, {.size = 300000}};
	ObjInfo info = {0};
	Pta p = {0};
	bool x[BYTES], y[BYTES];

	(void)state;
	p.objs.at = objs;
	p.objs.n = 2;
	for (u32 i = 0; i < 20000; i++) {
		Slot a = random_slot(&r), b = random_slot(&r);
		u64 m = 1 + rand_below(&r, 9), n = 1 + rand_below(&r, 9);
		paint(x, a, m, BYTES);
		paint(y, b, n, BYTES);
		assert_int_equal(slot_overlap(&p, &info, a, m, b, n), meet(x, y));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_overlap),
	    cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_lock_path.c - paths, signs, and what locks are called. */
#include "lock_case.h"

#include "conc/lock_int.h"

static void
test_interning(void **state)
{
	Arena a;
	Paths ps;
	PathId p, g, v;
	i64 off;

	(void)state;
	arena_init(&a, NULL);
	paths_init(&ps, &a);
	p = path_param(&ps, 0);
	g = path_global(&ps, 3);
	v = path_value(&ps, 9);
	assert_int_equal(path_off(&ps, path_off(&ps, p, 8), -8), p);
	assert_int_equal(path_off(&ps, path_off(&ps, p, 8), 4), path_off(&ps, p, 12));
	assert_int_not_equal(path_deref(&ps, p, 8), path_deref(&ps, g, 8));
	assert_int_not_equal(path_deref(&ps, p, 8), path_deref(&ps, p, 4));
	assert_int_equal(path_index(&ps, g, path_num(&ps, 3), 16), path_off(&ps, g, 48));
	assert_int_equal(path_base(&ps, path_off(&ps, v, 24), &off), v);
	assert_int_equal(off, 24);
	assert_true(path_apart(&ps, path_off(&ps, p, 8), p));
	assert_false(path_apart(&ps, path_off(&ps, p, 8), path_off(&ps, g, 4)));
	assert_false(path_apart(&ps, path_off(&ps, p, 8), path_off(&ps, p, 8)));
	arena_release(&a);
}

static void
test_registers(void **state)
{
	Arena a;
	Paths ps;
	PathId v, at;

	(void)state;
	arena_init(&a, NULL);
	paths_init(&ps, &a);
	v = path_value(&ps, 9);
	at = path_off(&ps,
		      path_index(&ps, path_global(&ps, 1), path_cast(&ps, v, CAST_SEXT, 64), 8), 4);
	assert_true(path_uses(&ps, at, 9));
	assert_false(path_uses(&ps, at, 8));
	assert_true(path_local(&ps, at));
	assert_false(path_local(&ps, path_deref(&ps, path_param(&ps, 1), 8)));
	arena_release(&a);
}

static void
test_bound(void **state)
{
	Arena a;
	Paths ps;
	PathId p;
	u32 steps = 0;

	(void)state;
	arena_init(&a, NULL);
	paths_init(&ps, &a);
	for (p = path_param(&ps, 0); p; p = path_deref(&ps, p, 8))
		steps++;
	assert_int_equal(steps, PATH_STEPS + 1);
	assert_int_equal(path_off(&ps, 0, 8), 0);
	arena_release(&a);
}

/* Every comparison with every small number, against all small numbers. */
static void
test_signs(void **state)
{
	(void)state;
	for (CmpPred p = CMP_EQ; p < CMP_FLOAT; p++)
		for (i64 k = -3; k <= 3; k++)
			for (i64 x = -6; x <= 6; x++) {
				const bool is[] = {
				    [CMP_EQ] = x == k,
				    [CMP_NE] = x != k,
				    [CMP_UGT] = (u64)x > (u64)k,
				    [CMP_UGE] = (u64)x >= (u64)k,
				    [CMP_ULT] =
					(u64)x<(u64)k, [CMP_ULE] = (u64)x <= (u64)k, [CMP_SGT] = x>
					    k,
				    [CMP_SGE] = x >= k,
				    [CMP_SLT] = x < k,
				    [CMP_SLE] = x <= k};
				u32 sign = x < 0 ? SIGN_NEG : x > 0 ? SIGN_POS : SIGN_ZERO;
				assert_true(sign_cmp(p, k, is[p]) & sign);
			}
	assert_int_equal(sign_cmp(CMP_EQ, 0, true), SIGN_ZERO);
	assert_int_equal(sign_cmp(CMP_NE, 0, true), SIGN_NONZERO);
	assert_int_equal(sign_cmp(CMP_SLT, 0, true), SIGN_NEG);
	assert_int_equal(sign_cmp(CMP_SLT, 0, false), SIGN_ZERO | SIGN_POS);
	assert_int_equal(sign_cmp(CMP_SGT, 0, true), SIGN_POS);
	assert_int_equal(sign_cmp(CMP_SGT, -1, true), SIGN_ZERO | SIGN_POS);
	assert_int_equal(sign_cmp(CMP_ULT, 1, true), SIGN_ZERO);
	assert_int_equal(sign_cmp(CMP_UGT, 0, true), SIGN_NONZERO);
}

#define TYPES                                                                                      \
	"type t1 = int \"int\" size 4\n"                                                           \
	"type t2 = struct \"mutex\" size 8 {\n0: t1 \"state\"\n}\n"                                \
	"type t3 = struct \"struct box\" size 32 {\n0: t2 \"lock\"\n8: t2 \"other\"\n16: t1 \"x\"\n24: t4 \"next\"\n}\n" \
	"type t4 = ptr size 8\ntype t5 = array \"tab\" size 320 elem t3 count 10\n"                \
	"global @m size 8 type t2\nglobal @box size 32 type t3\nglobal @box2 size 32 type t3\n"    \
	"global @tab size 320 type t5\n"
#define BOXES                                                                                      \
	"fn @main() -> int {\n %p = field @box + 24 type t3\n store ptr %p, @box2\n fork null, @w, @box\n"  \
	" fork null, @w, @box\n fork null, @w, @box2\n ret 0\n}\n"
#define THREAD "fn @w(%a: ptr) -> ptr {\n %f = field %a + 16 type t3\n"

static void
names(const char *body, const char *want)
{
	Case c;

	solve_with(&c, body, (PtaOptions){.policy = PTA_INSENSITIVE});
	assert_string_equal(held_at(&c, 1), want);
	done(&c);
}

static void
test_names(void **state)
{
	(void)state;
	names(TYPES BOXES THREAD " acquire @m\n store %f, 1 #1\n ret null\n}\n", "m");
	names(TYPES BOXES THREAD " acquire.read @m\n store %f, 1 #1\n ret null\n}\n", "m (read)");
	names(TYPES BOXES THREAD " acquire %a\n store %f, 1 #1\n ret null\n}\n", "a->lock");
	names(TYPES BOXES THREAD
	      " %l = field %a + 8 type t3\n acquire %l\n store %f, 1 #1\n ret null\n}\n",
	      "a->other");
	names(TYPES BOXES THREAD
	      " %l = field @box + 8 type t3\n acquire %l\n store %f, 1 #1\n ret null\n}\n",
	      "box.other");
	names(TYPES BOXES THREAD " %i = nondet i64\n %e = index @tab + %i * 32\n %l = field %e + 8 "
				 "type t3\n acquire %l\n"
				 " store %f, 1 #1\n ret null\n}\n",
	      "tab[i].other");
	names(TYPES BOXES THREAD " %n = field %a + 24 type t3\n %4 = load ptr %n\n %l = field %4 + "
				 "8 type t3\n acquire %l\n"
				 " store %f, 1 #1\n ret null\n}\n",
	      "box2.other"); /* the only one: a single lock goes by its own name */
	names(TYPES BOXES THREAD
	      " %l = field %a + 8 type t3\n acquire %l\n call @set(%a)\n ret null\n}\n"
	      "fn @set(%b: ptr) {\n %f = field %b + 16 type t3\n store %f, 1 #1\n ret\n}\n",
	      "b->other");
}

static void
test_value_names(void **state)
{
	Case c;
	u32 found = 0;

	(void)state;
	solve(&c, TYPES BOXES THREAD
	      " %n = field %a + 24 type t3\n %v = load ptr %n\n %5 = field %v + 16 type t3\n"
	      " store %5, 1 #1\n ret null\n}\n");
	for (u32 i = 0; i < c.conc->accesses.n; i++) {
		const Access *x = &c.conc->accesses.at[i];
		if (site_of(&c, x) != 1)
			continue;
		assert_string_equal(locks_value_name(c.conc->locks, x->inst, x->addr, &c.arena),
				    "v->x");
		found++;
	}
	assert_int_not_equal(found, 0);
	done(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_interning), cmocka_unit_test(test_registers),
	    cmocka_unit_test(test_bound),     cmocka_unit_test(test_signs),
	    cmocka_unit_test(test_names),     cmocka_unit_test(test_value_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

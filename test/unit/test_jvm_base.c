/* Every method of the JDK's java.base is lowered, passes ir_check, alone and with
 * superclasses resolved, and takes less than 1 GiB. */
#include "unit.h"

#include "base/diag.h"
#include "jvm/jvm.h"
#include "jvm/path.h"

enum { CLASSES = 5000, BODIES = 40000 }; /* at least, whatever the JDK */

typedef struct Sums {
	u32 classes, bodies, bad;
} Sums;

static void
lower_class(Arena *a, JvmUnit *u, const ClassBytes *b, const char *name, Sums *s)
{
	ClassFile *c = arena_new(a, ClassFile);
	const char *why;

	s->classes++;
	if (!class_parse(c, a, b->at, b->n, &why) || !jvm_declare(u, c, &why)) {
		print_message("%s: %s\n", name, why);
		s->bad++;
		return;
	}
	for (u32 k = 0; k < c->nmethod; k++) {
		s->bodies += c->methods[k].code != NULL;
		if (!jvm_lower_method(u, c, k, &why)) {
			print_message("%s\n", why);
			s->bad++;
		}
	}
}

static void
test_java_base(void **state)
{
	Budget budget = {0};
	Arena a;
	Diag diag;
	ClassPath *p;
	NameList names = {0};
	Ir ir;
	JvmUnit *u;
	Sums s = {0};
	const char *broken;

	(void)state;
	arena_init(&a, &budget);
	diag_init(&diag, &a, NULL);
	p = path_new(&a, &diag);
	assert_true(path_add_platform(p, NULL));
	assert_true(path_list_module(p, "java.base", &names));
	ir_init(&ir, &a);
	u = jvm_unit_new(&ir);
	for (u32 k = 0; k < names.n; k++) {
		ClassBytes b;
		assert_true(path_find(p, names.at[k], &b));
		lower_class(&a, u, &b, names.at[k], &s);
	}
	jvm_unit_finish(u);
	broken = ir_check(&ir);
	if (broken)
		fail_msg("%s", broken);
	jvm_resolve(&ir);
	broken = ir_check(&ir);
	if (broken)
		fail_msg("resolved: %s", broken);
	assert_int_equal(s.bad, 0);
	assert_true(s.classes > CLASSES && s.bodies > BODIES);
	assert_true(budget.peak < (size_t)1 << 30);
	path_release(p);
	diag_release(&diag);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_java_base)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

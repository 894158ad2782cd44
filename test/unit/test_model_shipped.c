/* test_model_shipped.c - the models in share: each rule makes a program that
 * is in order, and those that matter most say what they should.
 *
 * Runs in the root of the source tree, as tools/test does. */
#include "model_case.h"

#include "model/model_int.h"

static void
begin(Case *c)
{
	case_begin(c);
	if (!models_load_dir(c->models, "share/models", &c->diag) || c->diag.msgs.n)
		fail_msg("%s:%u: %s", c->diag.msgs.at[0].file, c->diag.msgs.at[0].line,
			 c->diag.msgs.at[0].text);
}

/* No function has the same rule in two files. */
static void
test_once_each(void **state)
{
	Case c;

	(void)state;
	begin(&c);
	assert_true(models_count(c.models) > 800);
	for (u32 k = 1; k < c.models->exact.n; k++)
		for (const Rule *r = c.models->exact.at[k]; r; r = r->next)
			for (const Rule *q = r->next; q; q = q->next)
				if (q->nparam == r->nparam && q->variadic == r->variadic)
					fail_msg("%s in %s and %s", intern_get(&c.models->names, k),
						 q->file, r->file);
	case_end(&c);
}

static char *
list(Arena *a, const char *item, u32 n)
{
	char *s = arena_strdup(a, "");

	for (u32 k = 0; k < n; k++)
		s = arena_printf(a, "%s%s%s", s, k ? ", " : "", item);
	return s;
}

/* The program calls rule r of name directly, with its result used and not, and
 * takes its address; all arguments are arg, results of one kind. */
static void
use_rule(Arena *a, FILE *to, const char *name, const Rule *r, const char *kind, const char *arg)
{
	const char *args = list(a, arg, r->nparam);

	fprintf(to,
		"global @\"table of %s\" size 8 = {0: @\"%s\"}\n"
		"declare @\"%s\"(%u) -> %s\n"
		"fn @\"call of %s\"(%%p: ptr, %%n: i32, %%c: i1) {\n"
		"\tcbr %%c, a, b\n"
		"a:\n\t%%r = call %s @\"%s\"(%s)\n\tcall @\"%s\"(%s)\n\tbr b\n"
		"b:\n\tret\n}\n",
		name, name, name, r->nparam, *kind == 'i' ? "int" : "ptr", name, kind, name, args,
		name, args);
}

static void
try_all(const char *kind, const char *arg)
{
	Case c;
	char *text;
	size_t n;
	FILE *to = open_memstream(&text, &n);

	begin(&c);
	for (u32 k = 1; k < c.models->exact.n; k++)
		if (c.models->exact.at[k])
			use_rule(&c.a, to, intern_get(&c.models->names, k), c.models->exact.at[k],
				 kind, arg);
	fclose(to);
	case_apply(&c, text);
	for (InsId k = 1; k < c.out.ins.n; k++)
		if (ir_ins(&c.out, k)->op == OP_EXTERN)
			fail_msg("%s is unknown", ir_str(&c.out, ir_ins(&c.out, k)->aux));
	free(text);
	case_end(&c);
}

static void
test_all(void **state)
{
	(void)state;
	try_all("ptr", "%p");
	try_all("i32", "%n");
	try_all("i32", "null");
	try_all("ptr", "i64 3");
}

static void
expect(const char *decl, const char *body, const char *want)
{
	Case c;

	begin(&c);
	case_apply(&c, arena_printf(&c.a,
				    "%s\nfn @w(%%x: ptr) -> ptr {\n\tret ptr null\n}\n"
				    "fn @t(%%p: ptr, %%q: ptr, %%n: i64) {\n%s\n\tret\n}\n",
				    decl, body));
	assert_string_equal(case_body(&c, "t"), arena_printf(&c.a, "b1:\n%s ret\n", want));
	case_end(&c);
}

static void
test_pthreads(void **state)
{
	(void)state;
	expect("declare @pthread_mutex_lock(1) -> int\ndeclare @pthread_mutex_unlock(1) -> int",
	       "\t%r = call i32 @pthread_mutex_lock(%p)\n\t%s = call i32 @pthread_mutex_unlock(%p)",
	       " acquire.rec.model %p if any\n %r = nondet.model if zero\n"
	       " release.rec.model %p if any\n %s = nondet.model if zero\n");
	expect("declare @pthread_mutex_trylock(1) -> int",
	       "\t%r = call i32 @pthread_mutex_trylock(%p)",
	       " %r = acquire.try.rec.model %p if zero\n");
	expect("declare @pthread_create(4) -> int\ndeclare @pthread_join(2) -> int",
	       "\t%r = call i32 @pthread_create(%p, null, @w, %q)\n"
	       "\t%s = call i32 @pthread_join(%n, null)",
	       " %r = fork.model %p, @w, %q if zero\n join.model %n if any\n %s = nondet.model if "
	       "zero\n");
	expect("declare @pthread_cond_timedwait(3) -> int",
	       "\t%r = call i32 @pthread_cond_timedwait(%p, %q, null)",
	       " release.model %q if any\n await.cond.try.model %p if any\n"
	       " acquire.model %q if any\n %r = nondet.model\n");
	expect("declare @pthread_once(2) -> int", "\tcall @pthread_once(%p, @w)",
	       " acquire.model %p if any\n call.maybe.model @w()\n signal.once.model %p\n"
	       " release.model %p if any\n await.once.model %p if any\n"
	       " acquire.read.model %p if any\n");
	expect("declare @pthread_setspecific(2) -> int\ndeclare @pthread_getspecific(1) -> ptr",
	       "\tcall @pthread_setspecific(1, %p)\n\t%r = call ptr @pthread_getspecific(1)",
	       " store.relaxed.model w64 @model.specific_value, %p\n"
	       " %5 = load.relaxed.model ptr @model.specific_destructor\n"
	       " call.maybe.model %5(%p)\n"
	       " %6 = load.relaxed.model ptr @model.specific_value\n %r = copy.model ptr %6\n");
	expect("declare @sem_init(3) -> int",
	       "\tcall @sem_init(%p, 0, 0)\n\tcall @sem_init(%q, 0, 1)",
	       " signal.sem.model %q, 1\n");
}

static void
test_libc(void **state)
{
	(void)state;
	expect("declare @realloc(2) -> ptr", "\t%r = call ptr @realloc(%p, %n)",
	       " %r = alloc.heap.model %n\n bcopy.model %r, %p, %n\n free.model %p\n");
	expect("declare @pause() -> int", "\t%r = call i32 @pause()",
	       " nondet.wait.model\n %r = nondet.model\n");
	expect("declare @printf(1) -> int variadic", "\tcall @printf(%p, %q, %n)",
	       " readn.model %p\n readn.model %q\n");
	expect("declare @memset(3) -> ptr", "\tcall @memset(%p, 0, %n)", " writen.model %p, %n\n");
	expect("declare @localtime(1) -> ptr", "\t%r = call ptr @localtime(null)",
	       " writen.model @model.tm_buffer, 56\n %5 = nondet.model i1\n"
	       " %r = select.model ptr %5, @model.tm_buffer, null\n");
	expect("declare @__errno_location() -> ptr", "\t%r = call ptr @__errno_location()",
	       " %r = copy.model ptr @model.errno_value\n");
}

static void
test_verifier(void **state)
{
	Case c;

	(void)state;
	begin(&c);
	case_apply(&c, "declare @__VERIFIER_nondet_int() -> int\ndeclare @__VERIFIER_assume(1)\n"
		       "fn @__VERIFIER_atomic_begin() {\n\tret\n}\n"
		       "declare @__VERIFIER_atomic_end()\n"
		       "fn @__VERIFIER_atomic_inc() {\n\tret\n}\n"
		       "fn @reach_error() {\n\tret\n}\n"
		       "fn @t() {\n\t%r = call i32 @__VERIFIER_nondet_int()\n"
		       "\tcall @__VERIFIER_assume(%r)\n\tcall @__VERIFIER_atomic_begin()\n"
		       "\tcall @__VERIFIER_atomic_end()\n\tcall @__VERIFIER_atomic_inc()\n"
		       "\tcall @reach_error()\n\tret\n}\n");
	assert_string_equal(case_body(&c, "t"),
			    "b1:\n %r = nondet.model\n assume.model %r\n"
			    " acquire.model @model.verifier_atomic if any\n"
			    " release.model @model.verifier_atomic if any\n"
			    " call @__VERIFIER_atomic_inc()\n call @reach_error()\n ret\n");
	assert_string_equal(case_body(&c, "__VERIFIER_atomic_inc"),
			    "b1:\n acquire.model @model.verifier_atomic if any\n"
			    " release.model @model.verifier_atomic if any\n ret\n");
	case_end(&c);
}

/* A user's file that comes later wins over what is shipped. */
static void
test_user(void **state)
{
	Case c;

	(void)state;
	begin(&c);
	case_model(&c, "malloc(n): return null\n");
	case_apply(
	    &c, "declare @malloc(1) -> ptr\nfn @t() {\n\t%r = call ptr @malloc(i64 8)\n\tret\n}\n");
	assert_string_equal(case_body(&c, "t"), "b1:\n %r = copy.model ptr null\n ret\n");
	case_end(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_once_each), cmocka_unit_test(test_all),
	    cmocka_unit_test(test_pthreads),  cmocka_unit_test(test_libc),
	    cmocka_unit_test(test_verifier),  cmocka_unit_test(test_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

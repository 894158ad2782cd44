/* fuzz_model.c - the reader of model files, and the application of what it
 * accepted to a program that calls the functions `f`, `g` and `h`. */
#include "fuzz.h"

#include "model/model.h"

static const char program[] = "global @m size 40\n"
			      "declare @f(1) -> int variadic\n"
			      "declare @g(1) -> ptr variadic\n"
			      "declare @h(0)\n"
			      "fn @w(%x: ptr) -> ptr {\n\tret ptr null\n}\n"
			      "fn @t(%p: ptr, %q: ptr, %n: i64) {\n"
			      "\t%r = call i32 @f(@m, %p, %n, @w)\n"
			      "\t%s = call ptr @g(%p, @w, %q)\n"
			      "\tcall @h()\n"
			      "\tret\n}\n";

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	Arena a;
	Diag d;
	Ir in, out;
	Models *m;
	bool ok;

	arena_init(&a, NULL);
	diag_init(&d, &a, NULL);
	ir_init(&in, &a);
	ok = ir_parse(&in, "x.ir", program, sizeof program - 1, &d) && !ir_check(&in);
	assert(ok);
	m = models_new(&a);
	ok = models_parse(m, "x.model", (const char *)bytes, n, &d);
	assert(ok || d.errors);
	if (ok) {
		ir_init(&out, &a);
		model_apply(&out, &in, m, &d);
		assert(!ir_check(&out));
	}
	diag_release(&d);
	arena_release(&a);
	return 0;
}

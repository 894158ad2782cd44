/* fuzz_ir_text.c - the reader of the IR's text form: a program that it accepts
 * and ir_check passes is printed as a program that prints as itself. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static char *
text_of(const Ir *ir, size_t *n)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, n);

	ir_print(ir, to);
	fclose(to);
	return text;
}

static bool
read_program(Arena *a, Ir *ir, const char *text, size_t n)
{
	Diag d;
	bool ok;

	diag_init(&d, a, NULL);
	ir_init(ir, a);
	ok = ir_parse(ir, "x.ir", text, n, &d);
	assert(ok || d.errors);
	diag_release(&d);
	return ok && !ir_check(ir);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	Arena a;
	Ir first, second;

	arena_init(&a, NULL);
	if (read_program(&a, &first, (const char *)bytes, n)) {
		size_t k, again;
		char *text = text_of(&first, &k), *twice;
		bool ok = read_program(&a, &second, text, k);
		assert(ok);
		twice = text_of(&second, &again);
		assert(k == again && !memcmp(text, twice, k));
		free(text);
		free(twice);
	}
	arena_release(&a);
	return 0;
}

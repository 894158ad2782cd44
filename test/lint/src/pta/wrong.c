/* wrong.c - what tools/layers and tools/banned must find, and what they must
 * not: malloc( and "pthread_create" in a comment. */
#include "base/vec.h"
#include "race/race.h"
#include <llvm-c/Core.h>

static const char *const names[] = {"pthread_create", "__VERIFIER_nondet_int", "open", "malloc"};
static const char *const fine[] = {"cannot open it", "free", "load"};

static void
f(Op *x)
{
	free(names);
	x->free(fine);
	strcpy(x->name, "free(");
	printf("x");
	fputs("x", stderr);
}

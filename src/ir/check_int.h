/* check_int.h - between the two halves of ir_check: check.c (tables) and
 * check_fn.c (bodies). */
#ifndef IR_CHECK_INT_H
#define IR_CHECK_INT_H

#include "ir/ir.h"

typedef struct Check {
	const Ir *ir;
	Arena scratch;
	const char *error; /* the first one; null while there is none */
} Check;

/* Keeps the message if it is the first.  Returns false, for `return fail(...)`. */
bool check_fail(Check *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline bool
check_range(u32 first, u32 n, u32 total)
{
	return first <= total && n <= total - first;
}

static inline bool
check_str(const Check *c, StrId s)
{
	return !s || s <= intern_count(&c->ir->strs);
}

/* Checks the body of f, whose ranges are known to be inside the tables. */
bool check_body(Check *c, FnId f);

#endif

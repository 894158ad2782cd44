/* interleave_case.h - a program in the text form with all its races.
 *
 * Instructions are named by their site, `#1`.  The races are written as
 * "1/2! 2/2": every pair that races, smaller site first, with ! if some run
 * makes the two adjacent.  A program passes if the search is complete and
 * finds exactly these, with the reductions and without. */
#ifndef INTERLEAVE_CASE_H
#define INTERLEAVE_CASE_H

#include "base/diag.h"
#include "ir/interleave.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

#define GLOBALS                                                                                    \
	"global @g\nglobal @x\nglobal @f\nglobal @n\nglobal @A size 8\nglobal @B size 8\n"         \
	"global @G size 8\nglobal @G2 size 8\nglobal @h size 8\nglobal @h2 size 8\n"               \
	"global @a size 32\nglobal @sem size 8\n"

static inline const char *
case_races(const Ir *ir, const InterleaveResult *r, Arena *a)
{
	const char *text = "";

	for (u32 i = 0; i < r->pairs.n; i++) {
		const InterleavePair *p = &r->pairs.at[i];
		u32 x = ir_ins(ir, p->a)->site, y = ir_ins(ir, p->b)->site;
		text = arena_printf(a, "%s%s%u/%u%s", text, *text ? " " : "", MIN(x, y), MAX(x, y),
				    p->adjacent ? "!" : "");
	}
	return text;
}

/* Whether got has exactly the words of want, in any order. */
static inline bool
case_same(const char *got, const char *want, Arena *a)
{
	const char *padded = arena_printf(a, " %s ", want);

	if (strlen(got) != strlen(want))
		return false;
	for (char *copy = arena_strdup(a, got), *save, *w = strtok_r(copy, " ", &save); w;
	     w = strtok_r(NULL, " ", &save))
		if (!strstr(padded, arena_printf(a, " %s ", w)))
			return false;
	return true;
}

static inline void
case_parse(Ir *ir, Arena *a, const char *text)
{
	Diag diag;
	const char *all = arena_printf(a, "%s%s", GLOBALS, text);

	diag_init(&diag, a, stderr);
	ir_init(ir, a);
	if (!ir_parse(ir, "case", all, strlen(all), &diag))
		fail_msg("not a program:\n%s", all);
	diag_release(&diag);
}

static inline void
case_run(const char *text, const char *want, bool every_step)
{
	Arena a;
	Ir ir;
	InterleaveLimits limits = interleave_defaults;
	InterleaveResult r = {.arena = &a};
	const char *got;

	arena_init(&a, NULL);
	case_parse(&ir, &a, text);
	limits.every_step = every_step;
	interleave_run(&ir, ir_find_fn(&ir, "main"), &limits, &r);
	got = case_races(&ir, &r, &a);
	if (every_step && r.why) /* waiting loops do not end without the reductions */
		return arena_release(&a);
	if (r.why || !case_same(got, want, &a))
		fail_msg("found \"%s\", not \"%s\" (%s) in\n%s", got, want,
			 r.why ? r.why : "complete", text);
	arena_release(&a);
}

static inline void
races(const char *text, const char *want)
{
	case_run(text, want, false);
	case_run(text, want, true);
}

#endif

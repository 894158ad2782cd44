/* ask.c - `check --ask`: on which rung single pairs of places are.
 *
 * A large program has more racing pairs than a report lists; what is left out
 * behaves like what is there.  This says of given pairs whether they are among
 * them.  A place is FUNCTION:LINE, and stands for every access there; with 0 for
 * the line, for all of the function's. */
#include "cli/ask.h"

#include "base/file.h"
#include "conc/access.h"

#include <stdlib.h>
#include <string.h>

/* The accesses at the place "f:12", as instructions. */
static bool
find_place(const Ir *ir, const char *place, Arena *a, VecU32 *out)
{
	const char *colon = strrchr(place, ':');
	size_t n = colon ? (size_t)(colon - place) : 0;
	u32 line = colon ? (u32)strtoul(colon + 1, NULL, 10) : 0;
	Touch touch[2];

	if (!colon)
		return false;
	for (FnId f = 1; f < ir->fns.n; f++) {
		const Fn *fn = &ir->fns.at[f];
		const char *name = ir_str(ir, fn->pretty ? fn->pretty : fn->name);
		if (strlen(name) != n || memcmp(name, place, n) != 0)
			continue;
		for (InsId i = fn->ins; i < fn->ins + fn->nins; i++)
			if ((!line || ir->srcs.at[ir_ins(ir, i)->src].line == line) &&
			    access_touches(ir, i, touch))
				vec_push(a, out, i);
	}
	return true;
}

static Rung
best_rung(RaceResult *r, const VecU32 *xs, const VecU32 *ys)
{
	Rung best = RUNG_EXCLUDED;

	for (u32 i = 0; i < xs->n; i++)
		for (u32 j = 0; j < ys->n; j++)
			best = MAX(best, race_pair_rung(r, xs->at[i], ys->at[j]));
	return best;
}

static bool
answer(Run *run, RaceResult *r, const char *x, const char *y, FILE *to)
{
	VecU32 xs = {0}, ys = {0};
	const Ir *ir = r->conc->ir;

	if (!find_place(ir, x, &run->arena, &xs) || !find_place(ir, y, &run->arena, &ys))
		return false;
	fprintf(to, "%s %s %s\n", x, y,
		!xs.n || !ys.n ? "nothing" : rung_name(best_rung(r, &xs, &ys)));
	return true;
}

bool
ask_print(Run *run, RaceResult *r, const char *path, FILE *to)
{
	const char *error, *sep = " \t\r\n";
	char *text, *more = NULL;
	size_t n;

	if (!file_read(&run->arena, path, &text, &n, &error)) {
		diag_error(&run->diag, path, "%s", error);
		return false;
	}
	text = arena_printf(&run->arena, "%.*s", (int)n, text);
	for (char *x = strtok_r(text, sep, &more); x; x = strtok_r(NULL, sep, &more)) {
		char *y = strtok_r(NULL, sep, &more);
		if (!y || !answer(run, r, x, y, to)) {
			diag_error(&run->diag, path, "expected pairs of FUNCTION:LINE");
			return false;
		}
	}
	return true;
}

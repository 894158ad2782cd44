/* sample.c - `concord sample`: draws races from a report, to be read.
 *
 * The same seed draws the same races from the same report: each race is ranked
 * by a hash of the seed and its id, so a race keeps its rank when others come
 * and go. */
#include "cli/marks.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

typedef struct Drawn {
	u64 rank;
	const SavedRace *race;
} Drawn;

static int
by_rank(const void *x, const void *y)
{
	const Drawn *a = x, *b = y;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return strcmp(a->race->id, b->race->id);
}

static const char *
or_unknown(const char *s)
{
	return s ? s : "?";
}

static void
print_side(FILE *to, const JsonVal *pair, const char *key)
{
	const JsonVal *s = json_get(pair, key);

	fprintf(to, "  %-5s %s:%lld in %s\n", or_unknown(json_get_str(s, "kind")),
		or_unknown(json_get_str(s, "file")), (long long)json_get_i64(s, "line", 0),
		or_unknown(json_get_str(s, "function")));
}

static void
print_race(FILE *to, const SavedRace *r)
{
	const JsonVal *pairs = json_get(r->race, "pairs");
	const char *program = json_get_str(r->doc, "program");

	fprintf(to, "%s [%s] '%s'%s%s\n", r->id, or_unknown(json_get_str(r->race, "rung")),
		or_unknown(json_get_str(json_get(r->race, "location"), "name")),
		program ? " in " : "", program ? program : "");
	if (pairs && pairs->kind == JSON_ARR && pairs->n) {
		print_side(to, &pairs->items[0], "first");
		print_side(to, &pairs->items[0], "second");
	}
}

/* What a report of its level shows: not what follows from another race. */
static bool
is_shown(const SavedRace *r)
{
	const JsonVal *shown = json_get(r->race, "shown");

	return !shown || shown->kind != JSON_BOOL || shown->truth;
}

static bool
read_count(Run *run, u32 *n)
{
	char *end;
	unsigned long x;

	if (run->inputs.n != 2) {
		diag_error(&run->diag, NULL, "sample takes a number and a JSON report");
		return false;
	}
	x = strtoul(run->inputs.at[0], &end, 10);
	if (*end || end == run->inputs.at[0] || !x || x > UINT32_MAX) {
		diag_error(&run->diag, NULL, "'%s' is not how many races to draw",
			   run->inputs.at[0]);
		return false;
	}
	*n = (u32)x;
	return true;
}

int
cmd_sample(Run *run)
{
	Vec(Drawn) all = {0};
	const char *error;
	Saved saved;
	FileOut out;
	u32 n;

	if (!read_count(run, &n) || !saved_read(run, run->inputs.at[1], &saved))
		return EXIT_INPUT;
	for (u32 i = 0; i < saved.races.n; i++) {
		const char *key =
		    arena_printf(&run->arena, "%u %s", run->opt->seed, saved.races.at[i].id);

		if (is_shown(&saved.races.at[i]))
			vec_push(&run->arena, &all,
				 (Drawn){hash_bytes(key, strlen(key)), &saved.races.at[i]});
	}
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, by_rank);
	if (!file_out_open(&out, &run->arena, run->opt->output, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return EXIT_INPUT;
	}
	fprintf(out.to, "%u of %u races, seed %u\n\n", MIN(n, all.n), all.n, run->opt->seed);
	for (u32 i = 0; i < n && i < all.n; i++)
		print_race(out.to, all.at[i].race);
	if (file_out_commit(&out, &run->arena, &error))
		return EXIT_CLEAN;
	diag_error(&run->diag, NULL, "%s", error);
	return EXIT_INPUT;
}

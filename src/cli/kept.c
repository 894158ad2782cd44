/* kept.c - see kept.h.
 *
 * A result is named by all that the analysis sees: the program as it is after
 * linking, models and the removal of dead code, every option but those that are
 * known to concern reports only, and concord itself.  Suppressions, verdicts,
 * baselines and the text of sources come in behind it and are read each time.
 *
 * Of positions the analysis knows no more than which are one and which of two in
 * a file comes first.  So their numbers in the name are those of their order, and a
 * function that others have moved down in its file is the same.
 *
 * What the memory limit cut short is not kept; the limit itself is part of the
 * name, since a run that would have reached it must say so. */
#include "cli/kept.h"

#include "cli/cache.h"
#include "cli/commands.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

static const char kind[] = "result";

#ifdef CONCORD_HARD
enum { HARD = true };
#else
enum { HARD = false };
#endif
enum { MANY_PAIRS = 256 };      /* for a check of graphs of paths */
enum { MANY_ACCESSES = 20000 }; /* for any check */

/* Options that change nothing of the result.  One that is not here does. */
static const char *const reporting[] = {
    "level",   "format",   "output",       "view",         "source-path",   "paths",  "stats",
    "quiet",   "progress", "config",       "suppressions", "baseline",      "triage", "note",
    "jobs",    "cache",    "no-cache",     "cache-limit",  "read-limit",    "strict", "target",
    "capture", "all",      "capture-only", "clang",        "reflection-log"};

static bool
matters(const OptSpec *s)
{
	for (u32 i = 0; i < COUNT(reporting); i++)
		if (!strcmp(s->name, reporting[i]))
			return false;
	return s->kind != OPT_GROUP && s->where & CMD_CHECKS;
}

static void
key_option(Key *k, const OptSpec *s, const void *field)
{
	const OptList *list = field;

	key_str(k, s->name);
	switch (s->kind) {
	case OPT_BOOL:
	case OPT_ON: key_u64(k, *(const bool *)field); break;
	case OPT_U32:
	case OPT_ENUM: key_u64(k, *(const u32 *)field); break;
	case OPT_SIZE: key_u64(k, *(const u64 *)field); break;
	case OPT_STR: key_str(k, *(const char *const *)field); break;
	default:
		key_u64(k, list->n);
		for (u32 i = 0; i < list->n; i++)
			key_str(k, list->at[i]);
	}
}

typedef struct Placed {
	Src src;
	SrcId id;
} Placed;

static int
compare_placed(const void *x, const void *y)
{
	return src_compare(&((const Placed *)x)->src, &((const Placed *)y)->src);
}

/* The program, with each position's place in their order for its line. */
static Ir
without_lines(Arena *a, const Ir *ir)
{
	u32 n = ir->srcs.n;
	Placed *all = arena_array(a, Placed, n + 1);
	Src *srcs = arena_array(a, Src, n + 1);
	Ir out = *ir;

	for (SrcId s = 1; s < n; s++)
		all[s - 1] = (Placed){ir->srcs.at[s], s};
	qsort(all, n - 1, sizeof *all, compare_placed);
	for (u32 i = 0; i + 1 < n; i++)
		srcs[all[i].id] = (Src){.file = all[i].src.file, .line = i};
	out.srcs.at = srcs;
	out.hash = 0; /* of the files, which no analysis looks at */
	return out;
}

static Digest
name_result(Arena *a, Digest tool, const Options *opt, const Ir *program, FnId root)
{
	Ir plain = without_lines(a, program);
	u8 *bytes;
	size_t n;
	Key k;

	key_init(&k, a, tool);
	key_str(&k, kind);
	for (u32 i = 0; i < noption_spec; i++)
		if (matters(&option_specs[i]))
			key_option(&k, &option_specs[i],
				   (const char *)opt + option_specs[i].offset);
	key_u64(&k, root);
	ir_write(&plain, a, &bytes, &n);
	key_digest(&k, digest_bytes(bytes, n));
	return key_name(&k);
}

/* Some outputs show more than is kept. */
static bool
wants_all(const Options *opt)
{
	return opt->ask || opt->emit_sites || opt->emit_pairs || opt->emit_icg;
}

RaceResult *
kept_find(Run *run, const Ir *program, FnId root, const RaceOptions *opt, Digest *name)
{
	RaceResult *r = NULL;
	StoreEntry e;
	Arena a;

	if (wants_all(run->opt) || !cache_open(run))
		return NULL;
	phase_begin(&run->phases, "earlier result");
	arena_init(&a, NULL);
	*name = name_result(&a, run->tool, run->opt, program, root);
	arena_release(&a);
	if (store_get(run->store, kind, *name, &e)) {
		r = race_read(&run->arena, program, opt, e.bytes, e.n);
		store_close_entry(&e);
	}
	phase_count(&run->phases, r != NULL, "results from the cache");
	phase_end(&run->phases);
	return r;
}

static FILE *
reported(const RaceResult *r)
{
	ReportInput in = {.races = r,
			  .level = RUNG_POSSIBLE,
			  .view = VIEW_OBJECT,
			  .all_paths = r->pairs.n < MANY_PAIRS,
			  .version = ""};
	FILE *to = tmpfile();

	assert(to);
	report_json(&in, to);
	report_sarif(&in, to);
	report_text(&in, to);
	rewind(to);
	return to;
}

/* Asserts that what is read back gives the same reports: nothing that they ask
 * for is missing.  With very many accesses the reports would be too long. */
static void
check_kept(Arena *a, const RaceResult *r, const RaceOptions *opt, const u8 *bytes, size_t n)
{
	const RaceResult *again = race_read(a, r->conc->ir, opt, bytes, n);
	FILE *x, *y;
	int c;

	assert(again);
	x = reported(r);
	y = reported(again);
	do {
		c = getc(x);
		assert(c == getc(y));
	} while (c != EOF);
	(void)fclose(x);
	(void)fclose(y);
}

void
kept_put(Run *run, Digest name, const RaceResult *r, const RaceOptions *opt)
{
	Arena a;
	Key bytes;

	if (!HARD && !run->store)
		return;
	if (wants_all(run->opt) || !r->conc->complete)
		return;
	arena_init(&a, NULL);
	bytes = (Key){.arena = &a};
	race_write(r, &bytes);
	if (HARD && r->conc->accesses.n < MANY_ACCESSES)
		check_kept(&a, r, opt, bytes.bytes.at, bytes.bytes.n);
	if (run->store)
		store_put(run->store, kind, name, bytes.bytes.at, bytes.bytes.n);
	arena_release(&a);
}

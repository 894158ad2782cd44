/* check.c - `concord check`: the pipeline, in order. */
#include "cli/commands.h"
#include "cli/marks.h"

#include "base/file.h"
#include "cli/ask.h"
#include "cli/cache.h"
#include "cli/kept.h"
#include "cli/several.h"
#include "race/race.h"
#include "report/report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Check {
	Run *run;
	Ir program;
	FnId root;
	const Pta *pta;
	const Conc *conc;
	RaceResult *races;
	Vec(const char *) assumptions;
	const char *name; /* the one of several programs that this is; may be null */
	FILE *part;       /* where its part of their report goes; null: where the options say */
	FILE *json;       /* where check_json writes; null for others */
	bool all;         /* its part of that: JSON of all rungs */
} Check;

static void
unknown_stage(Run *run, const char *name)
{
	const char *all = "", *near;

	for (u32 s = STAGE_REACHABLE; s < STAGE_COUNT; s++)
		all =
		    arena_printf(&run->arena, "%s%s%s", all, *all ? "|" : "", stage_name((Stage)s));
	near = opt_closest(&run->arena, all, name);
	diag_error(&run->diag, NULL, "--without takes %s, not '%s'%s%s%s", all, name,
		   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Reads --without; false after a diagnostic. */
static bool
read_stages(Run *run, RaceOptions *o)
{
	for (u32 i = 0; i < run->opt->without.n; i++) {
		const char *name = run->opt->without.at[i];
		u32 s = STAGE_REACHABLE;
		while (s < STAGE_COUNT && strcmp(stage_name((Stage)s), name))
			s++;
		if (s == STAGE_COUNT) {
			unknown_stage(run, name);
			return false;
		}
		o->without[s] = true;
	}
	return true;
}

static void
analyse(Check *c, const RaceOptions *opt)
{
	Run *run = c->run;
	static const PtaPolicy policy[] = {PTA_AUTO, PTA_INSENSITIVE, PTA_CALLSITE, PTA_OBJECT};
	PtaOptions pta = {.policy = policy[run->opt->contexts], .k = run->opt->k};
	ConcOptions conc = {.jobs = run->jobs};

	pta.hierarchy = run->opt->call_graph;
	pta.unify = run->opt->points_to == 1;
	pta.by_field = run->opt->points_to >= 2;
	pta.by_class = run->opt->points_to == 3;
	phase_begin(&run->phases, "points-to");
	c->pta = pta_solve(&run->arena, &c->program, c->root, &pta);
	phase_count(&run->phases, c->pta->insts.n - 1, "function instances");
	phase_end(&run->phases);
	phase_begin(&run->phases, "threads, order, locks");
	c->conc = conc_solve(&run->arena, c->pta, &conc);
	phase_count(&run->phases, c->conc->accesses.n, "accesses");
	phase_end(&run->phases);
	phase_begin(&run->phases, "pairs");
	c->races = race_find(&run->arena, c->conc, opt);
	phase_count(&run->phases, c->races->pairs.n, "pairs");
	phase_end(&run->phases);
}

/* Takes what an earlier run has found of the same program, or finds it. */
static void
find_races(Check *c, const RaceOptions *opt)
{
	Digest name = {0};

	c->races = kept_find(c->run, &c->program, c->root, opt, &name);
	if (!c->races) {
		analyse(c, opt);
		kept_put(c->run, name, c->races, opt);
	}
	c->conc = c->races->conc;
	c->pta = c->conc->pta;
}

/* Java methods that run, and of which neither code nor model says what they do. */
static void
list_unknown(Check *c)
{
	Arena *a = &c->run->arena;
	Set seen = {0};

	for (InstId i = 1; i < c->pta->insts.n; i++) {
		FnId f = pta_inst(c->pta, i)->fn;
		const Fn *fn = &c->program.fns.at[f];
		if (!(fn->flags & FN_UNKNOWN) || !set_add(a, &seen, f))
			continue;
		vec_push(a, &c->assumptions,
			 arena_printf(a,
				      "method %s is unknown on some receivers: what its arguments "
				      "reach escapes to it, and of them it calls only functional "
				      "interfaces",
				      ir_str(&c->program, fn->name)));
	}
	set_recycle(a, &seen);
}

/* Bounds that the analysis hit: said in every report. */
static void
list_assumptions(Check *c)
{
	Arena *a = &c->run->arena;

	if (c->pta->cut)
		vec_push(
		    a, &c->assumptions,
		    "unknown code knows too many functions: it is taken to call each of them at "
		    "one place only");
	if (c->pta->widened)
		vec_push(a, &c->assumptions,
			 "there are more contexts than are told apart: some calls share one");
	if (c->pta->folded)
		vec_push(a, &c->assumptions,
			 arena_printf(a, "%u objects have too many parts to tell them apart",
				      c->pta->folded));
	if (c->pta->crowded)
		vec_push(
		    a, &c->assumptions,
		    "some pointers may point to so many objects that these are not told apart");
	if (c->pta->by_field)
		vec_push(
		    a, &c->assumptions,
		    "the program is very large: what a field holds is told apart by field, not "
		    "by object; --open with fewer classes, or --contexts object --k 1, says more");
	if (c->pta->by_class)
		vec_push(
		    a, &c->assumptions,
		    "the program is very large: the objects that libraries make are told apart "
		    "by class, not by where they are made");
	if (c->pta->typed)
		vec_push(a, &c->assumptions,
			 "an object of a known struct type is accessed as no other (C11 6.5p7)");
	if (c->pta->named)
		vec_push(a, &c->assumptions,
			 "unknown Java code uses the fields that its package may name, and no "
			 "others by reflection");
	if (c->pta->strict)
		vec_push(a, &c->assumptions,
			 "a function that is called by its own type, from a member that it was "
			 "given to, is "
			 "called by no other (C11 6.5.2.2p9)");
	if (c->conc->threads->bounded)
		vec_push(a, &c->assumptions, "there are more threads than are told apart");
	if (c->conc->threads->joined)
		vec_push(a, &c->assumptions,
			 arena_printf(a,
				      "%u threads that run nearly what another does are not told "
				      "from that one",
				      c->conc->threads->joined));
	if (c->conc->merged_entries)
		vec_push(
		    a, &c->assumptions,
		    arena_printf(
			a,
			"functions are entered in more states than are told apart: %u times states "
			"became one",
			c->conc->merged_entries));
	if (c->run->opt->lock_rule == 1)
		vec_push(a, &c->assumptions,
			 "--lock-rule chord: locks made at one place are taken for one lock");
	if (c->run->opt->elide_constructors)
		vec_push(a, &c->assumptions,
			 "--elide-constructors: accesses in constructors, class initialisers and "
			 "finalizers are left out");
	if (!c->conc->complete)
		vec_push(a, &c->assumptions,
			 c->run->opt->points_to
			     ? "the memory limit was reached: the result is incomplete"
			     : "the memory limit was reached: the result is incomplete; "
			       "--points-to=unification needs less");
	list_unknown(c);
}

static void
print_report(const ReportInput *in, u32 format, FILE *to)
{
	switch (format) {
	case FORMAT_JSON: report_json(in, to); break;
	case FORMAT_JSONL: report_jsonl(in, to); break;
	case FORMAT_SARIF: report_sarif(in, to); break;
	case FORMAT_GITHUB: report_github(in, to); break;
	default: report_text(in, to); break;
	}
}

static int
write_report(Check *c, ReportInput *in)
{
	Run *run = c->run;
	const char *error = NULL;
	FileOut out;

	if (c->part) {
		in->part = true;
		in->color = !run->opt->output && report_wants_color(stdout);
		phase_show(&run->phases, "report");
		print_report(in, run->opt->format, c->part);
		phase_show(&run->phases, NULL);
		return report_shown(in) ? EXIT_RACES : EXIT_CLEAN;
	}
	if (!file_out_open(&out, &run->arena, run->opt->output, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return EXIT_INPUT;
	}
	in->color = report_wants_color(out.to);
	if (!isatty(fileno(out.to))) /* what goes there is not mixed with it */
		phase_show(&run->phases, "report");
	if (!run->opt->ask)
		print_report(in, run->opt->format, out.to);
	else if (!ask_print(run, c->races, run->opt->ask, out.to))
		return EXIT_INPUT;
	if (!file_out_commit(&out, &run->arena, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return EXIT_INPUT;
	}
	phase_show(&run->phases, NULL);
	return report_shown(in) ? EXIT_RACES : EXIT_CLEAN;
}

/* Who reads annotations and SARIF knows files by their place in the repository: the one that
 * the workflow says it has, or that we are in. */
static void
find_root(Run *run, ReportInput *in)
{
	const char *said = getenv("GITHUB_WORKSPACE");
	char *cwd = arena_alloc(&run->arena, PATH_MAX), *dir;
	char *real = arena_alloc(&run->arena, PATH_MAX);

	if ((run->opt->format != FORMAT_SARIF && run->opt->format != FORMAT_GITHUB) ||
	    !getcwd(cwd, PATH_MAX))
		return;
	in->cwd = cwd;
	if (said && realpath(said, real) &&
	    (!strcmp(cwd, real) || *file_shorten(&run->arena, cwd, real) != '/')) {
		in->root = real;
		return;
	}
	for (dir = cwd; strlen(dir) > 1; dir = file_dir(&run->arena, dir))
		if (file_exists(file_join(&run->arena, dir, ".git"))) {
			in->root = dir;
			return;
		}
}

typedef bool (*Emit)(const ReportInput *in, const char *name, FILE *to);

static bool
emit_icg(const ReportInput *in, const char *name, FILE *to)
{
	report_icg(in, !strcmp(file_ext(name), "json"), to);
	return true;
}

static bool
emit_sites(const ReportInput *in, const char *name, FILE *to)
{
	(void)name;
	report_sites(in, to);
	return true;
}

static bool
emit_pairs(const ReportInput *in, const char *name, FILE *to)
{
	(void)name;
	return report_pairs(in, to);
}

/* Writes a further file; false after a diagnostic. */
static bool
emit(Check *c, const ReportInput *in, const char *name, Emit write)
{
	Run *run = c->run;
	const char *error = NULL;
	FileOut out;
	bool whole;

	if (!name)
		return true;
	if (!file_out_open(&out, &run->arena, name, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return false;
	}
	whole = write(in, name, out.to);
	if (!file_out_commit(&out, &run->arena, &error))
		diag_error(&run->diag, NULL, "%s", error);
	else if (!whole)
		diag_error(&run->diag, NULL,
			   "%s: the program has too many accesses for a list of pairs", name);
	return whole && !error;
}

static int
report(Check *c)
{
	Run *run = c->run;
	static const Rung level[] = {RUNG_POSSIBLE, RUNG_LIKELY, RUNG_DEFINITE};
	ReportInput in = {.races = c->races, .diag = &run->diag, .version = CONCORD_VERSION};
	int status;

	in.program = c->name;
	find_root(run, &in);
	if (!c->conc->complete)
		diag_error(
		    &run->diag, NULL,
		    "the memory limit of %llu MiB was reached: the report says what was known by "
		    "then, and no race is excluded",
		    (unsigned long long)run->opt->memory_limit >> 20);
	said_check(run, &c->program, c->races);
	list_assumptions(c);
	in.inputs = (const char *const *)run->inputs.at;
	in.ninputs = run->inputs.n;
	in.assumptions = c->assumptions.at;
	in.nassumptions = c->assumptions.n;
	in.phases = &run->phases;
	in.level = level[run->opt->level];
	in.stats = run->opt->stats;
	in.dead_blocks = run->dead_blocks;
	in.classes = run->java_stats.classes;
	in.methods = run->java_stats.methods;
	in.bodies = run->java_stats.bodies;
	in.modelled = run->java_stats.modelled;
	in.skipped = run->java_stats.skipped;
	in.root_notes = run->opt->not_parallel.n;
	in.local_notes = run->opt->never_shared.n;
	in.view = (ReportView)run->opt->view;
	in.all_paths = run->opt->paths == 1;
	if (c->all) {
		in.level = RUNG_POSSIBLE;
		in.part = c->part != NULL;
		report_json(&in, c->part ? c->part : c->json);
		return EXIT_CLEAN;
	}
	if (!marks_build(run, &in))
		return EXIT_INPUT;
	if (!emit(c, &in, run->opt->emit_icg, emit_icg) ||
	    !emit(c, &in, run->opt->emit_sites, emit_sites) ||
	    !emit(c, &in, run->opt->emit_pairs, emit_pairs))
		return EXIT_INPUT;
	status = write_report(c, &in);
	if (run->diag.errors)
		status = MAX(status, EXIT_INPUT);
	if (!c->conc->complete || (run->opt->strict && (run->diag.errors || c->assumptions.n ||
							c->program.assumes.n > 1)))
		status = MAX(status, EXIT_INCOMPLETE);
	return status;
}

/* The program of which nothing could be read: its report says so. */
static FnId
load_nothing(Check *c)
{
	static const char text[] = "fn internal @nothing() synthetic {\n ret\n}\n";

	ir_init(&c->program, &c->run->arena);
	(void)ir_parse(&c->program, "", text, sizeof text - 1, &c->run->diag);
	return c->program.fns.n - 1;
}

/* Links, analyses and reports. */
static int
check_program(Check *c, const RaceOptions *opt, Ir *const *units, u32 n)
{
	c->root = n ? load_program(c->run, units, n, &c->program) : load_nothing(c);
	if (!c->root)
		return EXIT_INPUT;
	find_races(c, opt);
	return report(c);
}

/* ---- several programs ------------------------------------------------------------- */

typedef struct Each { /* one of them: its main with all units that have none */
	const Check *of;
	const RaceOptions *opt;
	Ir *const *units;
	u32 n, main;
	const char *name;
} Each;

/* Is it where a program starts? */
static bool
has_main(const Ir *unit)
{
	FnId f = ir_find_fn(unit, "main");

	return f && unit->fns.at[f].nblock;
}

static int
check_each(void *ctx, FILE *part)
{
	const Each *e = ctx;
	Run *run = e->of->run;
	Check c = {.run = run, .name = e->name, .part = part, .all = e->of->all};
	Ir **units = arena_array(&run->arena, Ir *, e->n);
	struct Progress *progress = progress_start(run);
	u32 n = 0;
	int status;

	for (u32 i = 0; i < e->n; i++)
		if (i == e->main || !has_main(e->units[i]))
			units[n++] = e->units[i];
	status = check_program(&c, e->opt, units, n);
	progress_stop(progress);
	cache_close(run);
	return status;
}

/* The name of the unit's file, without its directories and what is behind the dot. */
static const char *
stem_of(Arena *a, const Ir *unit)
{
	const char *base = file_base(ir_str(unit, unit->unit)), *ext = file_ext(base);

	return arena_dup(a, base, strlen(base) - strlen(ext) - (*ext != 0));
}

/* The stem if no other main has it, else all of the name. */
static const char *
name_of_main(Arena *a, Ir *const *units, u32 n, u32 main)
{
	const char *stem = stem_of(a, units[main]);

	for (u32 i = 0; i < n; i++)
		if (i != main && has_main(units[i]) && !strcmp(stem_of(a, units[i]), stem))
			return arena_strdup(a,
					    ir_str(units[main], units[main]->unit)); /* units go */
	return stem;
}

static int
check_several(const Check *c, const RaceOptions *opt, Ir *const *units, u32 n, FILE *to)
{
	Run *run = c->run;
	Several s;

	several_begin(&s, run, c->all ? FORMAT_JSON : run->opt->format, to);
	run->phases.report = NULL;
	for (u32 i = 0; i < n; i++) {
		Each e = {c, opt, units, n, i, NULL};
		if (!has_main(units[i]))
			continue;
		e.name = name_of_main(&run->arena, units, n, i);
		several_add(&s, e.name, check_each, &e);
	}
	several_end(&s);
	return s.status;
}

/* One document for all of them. */
static int
report_several(const Check *c, const RaceOptions *opt, Ir *const *units, u32 n)
{
	Run *run = c->run;
	const char *error;
	FileOut out;
	int status;

	if (run->opt->ask || run->opt->emit_icg || run->opt->emit_sites || run->opt->emit_pairs) {
		diag_error(
		    &run->diag, NULL,
		    "the inputs are several programs, each with a main: --ask and --emit-... "
		    "take one; name its files");
		return EXIT_INPUT;
	}
	if (c->json)
		return check_several(c, opt, units, n, c->json);
	if (!file_out_open(&out, &run->arena, run->opt->output, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return EXIT_INPUT;
	}
	status = check_several(c, opt, units, n, out.to);
	if (file_out_commit(&out, &run->arena, &error))
		return status;
	diag_error(&run->diag, NULL, "%s", error);
	return MAX(status, EXIT_INPUT);
}

static u32
count_mains(const Check *c, Ir *const *units, u32 n)
{
	const Options *opt = c->run->opt;
	u32 mains = 0;

	for (u32 i = 0; i < n; i++)
		mains += has_main(units[i]);
	return c->run->linked || c->run->java || opt->entry.n || opt->open.n ? 1 : mains;
}

/* Reads the inputs, and checks the program that they are, or each of several. */
static int
check(Check *c)
{
	Run *run = c->run;
	RaceOptions opt = {.volatile_races = run->opt->volatiles == 1,
			   .volatile_atomic = run->opt->volatiles == 2,
			   .source_path = run->opt->source_path,
			   .apart = run->opt->not_parallel.at,
			   .napart = run->opt->not_parallel.n,
			   .local = run->opt->never_shared.at,
			   .nlocal = run->opt->never_shared.n,
			   .list = run->opt->emit_pairs != NULL,
			   .site_locks = run->opt->lock_rule == 1,
			   .elide_constructors = run->opt->elide_constructors};
	Ir **units;
	u32 n;

	if (run->opt->quiet)
		run->diag.least = DIAG_ERROR;
	if (!read_stages(run, &opt))
		return EXIT_INPUT;
	phase_begin(&run->phases, "read");
	load_units(run, &units, &n);
	phase_end(&run->phases);
	if (!n && !arena_exceeded(&run->arena)) {
		diag_error(&run->diag, NULL, "nothing to check: no input could be read");
		return EXIT_INPUT;
	}
	return count_mains(c, units, n) > 1 ? report_several(c, &opt, units, n)
					    : check_program(c, &opt, units, n);
}

int
cmd_check(Run *run)
{
	Check c = {.run = run};

	return check(&c);
}

int
check_part(Run *run, const char *program, FILE *to)
{
	Check c = {.run = run, .name = program, .part = to};

	return check(&c);
}

int
check_json(Run *run, FILE *to)
{
	Check c = {.run = run, .json = to, .all = true};

	return check(&c);
}

/* explain.c - `concord explain`: all that is known of one race.
 *
 * It reads a JSON report, a saved one or one made now, so that both say the
 * same; what the report does not have cannot be explained. */
#include "cli/marks.h"

#include "base/file.h"

#include <string.h>

enum { OTHERS = 8 }; /* races of the same cause that are listed */

typedef struct Explain {
	Run *run;
	const SavedRace *race;
	FILE *to;
	Intern functions; /* on the call paths of the race */
} Explain;

static const char *
str(const JsonVal *v, const char *key)
{
	const char *s = json_get_str(v, key);

	return s ? s : "";
}

static u32
count(const JsonVal *v)
{
	return v && v->kind == JSON_ARR ? v->n : 0;
}

static bool
truth(const JsonVal *v, const char *key)
{
	const JsonVal *b = json_get(v, key);

	return b && b->kind == JSON_BOOL && b->truth;
}

/* "file:line", as much of it as is known. */
static const char *
position(const Explain *e, const JsonVal *v)
{
	i64 line = json_get_i64(v, "line", 0);
	const char *file = str(v, "file");

	return line && *file ? arena_printf(&e->run->arena, "%s:%lld", file, (long long)line)
			     : file;
}

static const char *
at(const Explain *e, const JsonVal *v)
{
	const char *p = position(e, v);

	return *p ? arena_printf(&e->run->arena, " at %s", p) : "";
}

static const JsonVal *
thread(const Explain *e, i64 id)
{
	const JsonVal *all = json_get(e->race->doc, "threads");

	for (u32 i = 0; i < count(all); i++)
		if (json_get_i64(&all->items[i], "id", 0) == id)
			return &all->items[i];
	return NULL;
}

static const char *
thread_name(const Explain *e, i64 id)
{
	return arena_printf(&e->run->arena, "%s%s", id == 1 ? "the " : "",
			    str(thread(e, id), "name"));
}

/* ---- one pair ------------------------------------------------------------------ */

static void
print_locks(const Explain *e, const JsonVal *side, const char *indent)
{
	const JsonVal *locks = json_get(side, "locks");

	if (!count(locks))
		fprintf(e->to, "%sholding no locks\n", indent);
	for (u32 i = 0; i < count(locks); i++) {
		const char *where = position(e, &locks->items[i]);

		fprintf(e->to, "%sholding '%s' (%s)%s%s\n", indent, str(&locks->items[i], "name"),
			str(&locks->items[i], "mode"), *where ? ", acquired at " : "", where);
	}
}

static const char *
headline(const Explain *e, const JsonVal *side)
{
	return arena_printf(&e->run->arena, "%s%s%s%s by %s",
			    truth(side, "atomic") ? "atomic " : "",
			    truth(side, "volatile") ? "volatile " : "", str(side, "kind"),
			    at(e, side), thread_name(e, json_get_i64(side, "thread", 0)));
}

/* How the thread of this side came to be, from the main thread on. */
static void
print_creation(const Explain *e, const JsonVal *side)
{
	i64 id = json_get_i64(side, "thread", 0);

	for (u32 n = 0; id > 1 && n < 16; n++) {
		const JsonVal *t = thread(e, id);

		if (!t)
			return;
		fprintf(e->to, "      %s is created%s by %s%s\n", str(t, "name"), at(e, t),
			thread_name(e, json_get_i64(t, "parent", 0)),
			truth(t, "unique") ? "" : "; there may be several");
		id = json_get_i64(t, "parent", 0);
	}
}

static void
print_side(const Explain *e, const JsonVal *side, const char *title)
{
	const JsonVal *path = json_get(side, "path");

	fprintf(e->to, "    %s: %s\n", title, headline(e, side));
	print_locks(e, side, "      ");
	for (u32 i = count(path); i-- > 0;)
		fprintf(e->to, "      #%u %s %s\n", count(path) - 1 - i,
			str(&path->items[i], "function"), position(e, &path->items[i]));
	print_creation(e, side);
}

static void
note_functions(Explain *e, const JsonVal *side)
{
	const JsonVal *path = json_get(side, "path");

	for (u32 i = 0; i < count(path); i++)
		(void)intern_str(&e->functions, str(&path->items[i], "function"));
}

static const char *
locks_of(const Explain *e, const JsonVal *side)
{
	const JsonVal *locks = json_get(side, "locks");
	const char *all = "";

	for (u32 i = 0; i < count(locks); i++)
		all = arena_printf(&e->run->arena, "%s%s'%s'", all, *all ? ", " : "",
				   str(&locks->items[i], "name"));
	return *all ? all : "no lock";
}

static void
print_pairs(Explain *e)
{
	const JsonVal *pairs = json_get(e->race->race, "pairs");

	for (u32 i = 0; i < count(pairs); i++) {
		const JsonVal *p = &pairs->items[i];
		const JsonVal *a = json_get(p, "first"), *b = json_get(p, "second");

		note_functions(e, a);
		note_functions(e, b);
		if (!i) {
			fprintf(e->to, "\n  The surest pair of accesses:\n");
			print_side(e, a, "first");
			print_side(e, b, "second");
			continue;
		}
		if (i == 1)
			fprintf(e->to, "\n  The other pairs (%u):\n", count(pairs) - 1);
		fprintf(e->to, "    [%s] %s in %s, holding %s\n", str(p, "rung"), headline(e, a),
			str(a, "function"), locks_of(e, a));
		fprintf(e->to, "      against %s in %s, holding %s\n", headline(e, b),
			str(b, "function"), locks_of(e, b));
	}
}

/* ---- why ----------------------------------------------------------------------- */

static const char *
text_of_reason(const char *name)
{
	for (Reason r = 0; r < REASON_COUNT; r++)
		if (!strcmp(reason_name(r), name))
			return reason_text(r);
	return "a reason that this version of concord does not know";
}

static void
print_rung(const Explain *e)
{
	const JsonVal *reasons = json_get(e->race->race, "reasons");
	const char *rung = str(e->race->race, "rung");

	fprintf(e->to, "\n  Why %s:\n", rung);
	if (!count(reasons))
		fprintf(e->to, "    %s\n",
			strcmp(rung, "definite")
			    ? "no lock, order or known harmless pattern keeps the accesses apart"
			    : "a run in which both accesses meet certainly exists");
	for (u32 i = 0; i < count(reasons); i++)
		if (reasons->items[i].kind == JSON_STR)
			fprintf(e->to, "    %s: %s\n", reasons->items[i].str,
				text_of_reason(reasons->items[i].str));
}

/* What a higher rung would take. */
static void
print_higher(const Explain *e)
{
	if (!strcmp(str(e->race->race, "rung"), "likely"))
		fprintf(e->to, "    not definite: that a run comes to both may depend on the input "
			       "or on other "
			       "threads, or the place may be two\n");
}

static const JsonVal *
lock_named(const JsonVal *side, const char *name)
{
	const JsonVal *locks = json_get(side, "locks");

	for (u32 i = 0; i < count(locks); i++)
		if (!strcmp(str(&locks->items[i], "name"), name))
			return &locks->items[i];
	return NULL;
}

/* Why the locks of the two sides do not exclude each other. */
static const char *
why_unguarded(const Explain *e, const JsonVal *a, const JsonVal *b)
{
	const JsonVal *x = json_get(a, "locks"), *y = json_get(b, "locks");

	for (u32 i = 0; i < count(x); i++) {
		const char *name = str(&x->items[i], "name");
		const JsonVal *other = lock_named(b, name);

		if (!other)
			continue;
		if (!strcmp(str(&x->items[i], "mode"), "read") &&
		    !strcmp(str(other, "mode"), "read"))
			return arena_printf(&e->run->arena,
					    "'%s' is held at both, but for reading only", name);
		return arena_printf(&e->run->arena,
				    "each holds a '%s', but these may be two, or one that is not "
				    "held all the time",
				    name);
	}
	if (!count(x) && !count(y))
		return "no lock is held at either access";
	if (count(x) && count(y))
		return "the two sides hold different locks";
	return count(x) ? "a lock is held at the first access only"
			: "a lock is held at the second access only";
}

/* Why the stages of the analysis keep it: they exclude what cannot meet, what is ordered, and
 * what is guarded. */
static void
print_kept(const Explain *e)
{
	const JsonVal *pairs = json_get(e->race->race, "pairs"), *a, *b;
	i64 x, y;

	if (!count(pairs))
		return;
	a = json_get(&pairs->items[0], "first");
	b = json_get(&pairs->items[0], "second");
	x = json_get_i64(a, "thread", 0);
	y = json_get_i64(b, "thread", 0);
	fprintf(e->to, "\n  Why not excluded:\n    place: both accesses %s of '%s'\n",
		strcmp(str(e->race->race, "rung"), "definite") ? "may be" : "are",
		str(json_get(e->race->race, "location"), "name"));
	if (x == y)
		fprintf(e->to,
			"    order: there may be two of %s at once, which nothing is sure to order "
			"there\n",
			thread_name(e, x));
	else
		fprintf(
		    e->to,
		    "    order: no start, end or wait of a thread is sure to come between %s and "
		    "%s there\n",
		    thread_name(e, x), thread_name(e, y));
	fprintf(e->to, "    locks: %s\n", why_unguarded(e, a, b));
}

static void
print_harm(const Explain *e)
{
	const char *harm = str(e->race->race, "harm");

	for (Harm h = 0; h < HARM_VALUE; h++)
		if (!strcmp(harm_name(h), harm))
			fprintf(e->to, "\n  At stake: %s\n", harm_text(h));
}

static bool
has_race(const JsonVal *cause, const char *id)
{
	const JsonVal *ids = json_get(cause, "races");

	for (u32 i = 0; i < count(ids); i++)
		if (ids->items[i].kind == JSON_STR && !strcmp(ids->items[i].str, id))
			return true;
	return false;
}

static const JsonVal *
race_of(const Explain *e, const char *id)
{
	const JsonVal *races = json_get(e->race->doc, "races");

	for (u32 i = 0; i < count(races); i++)
		if (!strcmp(str(&races->items[i], "id"), id))
			return &races->items[i];
	return NULL;
}

/* The other races of a cause: some, since one may have hundreds. */
static void
print_others(const Explain *e, const JsonVal *ids)
{
	u32 shown = 0;

	if (count(ids) > 1)
		fprintf(e->to, "  Races of the same cause:\n");
	for (u32 k = 0; k < count(ids) && shown < OTHERS; k++) {
		const char *id = ids->items[k].kind == JSON_STR ? ids->items[k].str : "";
		const JsonVal *race = strcmp(id, e->race->id) != 0 ? race_of(e, id) : NULL;

		if (!race)
			continue;
		fprintf(e->to, "    %s  '%s' [%s]\n", id, str(json_get(race, "location"), "name"),
			str(race, "rung"));
		shown++;
	}
	if (count(ids) > shown + 1)
		fprintf(e->to, "    and %u more\n", count(ids) - shown - 1);
}

/* Which access of the surest pair lacks the lock. */
static const char *
where_missing(const JsonVal *near)
{
	bool first = truth(near, "at_first"), second = truth(near, "at_second");

	return first && second ? ""
	       : first         ? "; not at the second one here"
	       : second        ? "; not at the first one here"
			       : "; not here";
}

static void
print_cause(const Explain *e)
{
	const JsonVal *causes = json_get(e->race->doc, "causes");
	const JsonVal *near = json_get(e->race->race, "near_miss");

	if (near && near->kind == JSON_OBJ)
		fprintf(e->to,
			"\n  Near miss: '%s' is held at %lld of %lld accesses of the location%s\n",
			str(near, "lock"), (long long)json_get_i64(near, "held", 0),
			(long long)json_get_i64(near, "accesses", 0), where_missing(near));
	for (u32 i = 0; i < count(causes); i++) {
		const JsonVal *c = &causes->items[i];
		const JsonVal *ids = json_get(c, "races");

		if (!has_race(c, e->race->id))
			continue;
		fprintf(e->to, "\n  Cause (%s): %s\n  What would fix it: %s\n", str(c, "kind"),
			str(c, "text"), str(c, "fix"));
		print_others(e, ids);
	}
}

static void
print_marks(const Explain *e)
{
	const JsonVal *r = e->race->race, *s = json_get(r, "suppressed"),
		      *t = json_get(r, "triage");

	if (*str(r, "follows_from"))
		fprintf(e->to, "\n  It can only happen if race %s does\n", str(r, "follows_from"));
	if (s && s->kind == JSON_OBJ)
		fprintf(e->to, "\n  Suppressed by a %s: %s\n", str(s, "by"), str(s, "reason"));
	if (*str(r, "baseline"))
		fprintf(e->to, "\n  Against the baseline: %s\n", str(r, "baseline"));
	if (t && t->kind == JSON_OBJ)
		fprintf(e->to, "\n  Triaged as %s%s%s\n", str(t, "verdict"),
			*str(t, "note") ? ": " : "", str(t, "note"));
}

/* Those of functions on its call paths, and those of the run as a whole. */
static void
print_assumptions(const Explain *e)
{
	const JsonVal *all = json_get(e->race->doc, "assumptions");
	u32 n = 0;

	for (u32 i = 0; i < count(all); i++) {
		const char *f = str(&all->items[i], "function");

		if (*f && !intern_find(&e->functions, f, strlen(f)))
			continue;
		if (!n++)
			fprintf(e->to, "\n  Assumptions that touch it:\n");
		fprintf(e->to, "    %s%s%s%s\n", str(&all->items[i], "text"), *f ? " in " : "", f,
			at(e, &all->items[i]));
	}
	if (!n)
		fprintf(e->to, "\n  No assumption touches it\n");
}

static void
print_race(Explain *e)
{
	const JsonVal *where = json_get(e->race->race, "location");
	const char *program = str(e->race->doc, "program");
	i64 size = json_get_i64(where, "size", 0);

	fprintf(e->to, "data race on '%s' [%s]\n  id %s\n", str(where, "name"),
		str(e->race->race, "rung"), e->race->id);
	if (*program)
		fprintf(e->to, "  in the program %s\n", program);
	if (json_get(e->race->doc, "java"))
		fprintf(e->to, "  Location is %s%s%s\n",
			strncmp(str(where, "made"), "static field ", 13) ? "in " : "",
			str(where, "made"), at(e, where));
	else
		fprintf(e->to, "  Location is %s%lld byte%s of %s%s\n", size ? "" : "at least ",
			(long long)(size ? size : 1), size > 1 ? "s" : "", str(where, "made"),
			at(e, where));
	print_rung(e);
	print_higher(e);
	print_kept(e);
	print_harm(e);
	print_cause(e);
	print_marks(e);
	print_pairs(e);
	print_assumptions(e);
}

/* ---- where from ------------------------------------------------------------------ */

/* Is the input a saved report?  A compilation database is JSON, too. */
static bool
is_report(Run *run, const char *path)
{
	const char *error;
	const JsonVal *v;
	char *text;
	size_t n;

	if (!strcmp(path, "-"))
		return true;
	if (strcmp(file_ext(path), "json") != 0 || !file_read(&run->arena, path, &text, &n, &error))
		return false;
	v = json_parse(&run->arena, text, n, &error);
	return v && v->kind == JSON_OBJ;
}

/* Checks the inputs now. */
static bool
make_report(Run *run, Saved *saved)
{
	FileText text;
	char *bytes;
	size_t n;
	bool ok;

	file_text_open(&text);
	ok = check_json(run, text.to) == EXIT_CLEAN;
	file_text_close(&text, &run->arena, &bytes, &n);
	return ok && saved_parse(run, "report", bytes, n, saved);
}

int
cmd_explain(Run *run)
{
	Explain e = {.run = run};
	const char *id, *error;
	FileOut out;
	Saved saved;

	if (run->inputs.n < 2) {
		diag_error(&run->diag, NULL, "explain takes an id, then a JSON report or inputs");
		return EXIT_INPUT;
	}
	id = run->inputs.at[0];
	run->inputs.at++;
	run->inputs.n--;
	if (run->inputs.n == 1 && is_report(run, run->inputs.at[0])
		? !saved_read(run, run->inputs.at[0], &saved)
		: !make_report(run, &saved))
		return EXIT_INPUT;
	e.race = saved_find(run, &saved, id);
	if (!e.race)
		return EXIT_INPUT;
	if (!file_out_open(&out, &run->arena, run->opt->output, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return EXIT_INPUT;
	}
	e.to = out.to;
	intern_init(&e.functions, &run->arena);
	print_race(&e);
	if (file_out_commit(&out, &run->arena, &error))
		return EXIT_CLEAN;
	diag_error(&run->diag, NULL, "%s", error);
	return EXIT_INPUT;
}

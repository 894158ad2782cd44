/* suppress.c - suppressions by file, and what all suppressions do.
 *
 * A line of a suppressions file is a kind, a pattern and, behind `--`, the
 * reason:
 *
 *	race 4fd0a1c2b3948576 -- the counter is only an estimate
 *	location stats.* -- torn reads are tolerated
 *	function log_* -- the log has its own buffer per thread
 *	file third_party/ssl-*.c -- not ours
 *
 * or one of ThreadSanitizer's, whose reason is a comment above it or behind
 * it.  A rule picks pairs of accesses; a race is suppressed if each of its
 * pairs at the level is. */
#include "cli/marks.h"

#include "base/file.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static const char BLANKS[] = " \t\r";

/* What ThreadSanitizer knows beside races. */
static const char *const not_ours[] = {"called_from_lib", "mutex", "thread", "signal", "deadlock"};

static char *
trim(Arena *a, const char *s, size_t n)
{
	while (n && strchr(BLANKS, *s)) {
		s++;
		n--;
	}
	while (n && strchr(BLANKS, s[n - 1]))
		n--;
	return arena_dup(a, s, n);
}

typedef struct Lines { /* of a suppressions file */
	Run *run;
	const char *file;
	u32 line;
	const char *comment; /* that stands right above; null if none does */
	Rules *out;
	bool ok;
} Lines;

static void
mistake(Lines *l, const char *what)
{
	diag_at(&l->run->diag, DIAG_ERROR, l->file, l->line, 0, "%s", what);
	l->ok = false;
}

static void
add_rule(Lines *l, RuleKind kind, const char *pattern, const char *reason)
{
	if (!*pattern)
		mistake(l, "a suppression without a pattern");
	else if (!reason || !*reason)
		mistake(l, "a suppression needs a reason");
	else
		vec_push(&l->run->arena, l->out,
			 (Rule){.kind = kind,
				.pattern = pattern,
				.reason = reason,
				.file = l->file,
				.line = l->line});
}

/* A pattern that matches anywhere, with ^ and $ for the ends and only * with a
 * meaning, as a glob of the whole text. */
static const char *
glob_of(Arena *a, const char *p)
{
	size_t n = strlen(p);
	bool start = *p == '^', end = n && p[n - 1] == '$';
	char *out = arena_alloc(a, n * 2 + 3);
	u32 k = 0;

	if (!start)
		out[k++] = '*';
	for (size_t i = start; i < n - end; i++) {
		if (strchr("?[]\\", p[i]))
			out[k++] = '\\';
		out[k++] = p[i];
	}
	if (!end)
		out[k++] = '*';
	return out;
}

/* race:TEXT and the like. */
static void
read_foreign(Lines *l, const char *text, size_t kind)
{
	Arena *a = &l->run->arena;
	const char *word = arena_dup(a, text, kind), *rest = text + kind + 1;
	const char *hash = strstr(rest, " #");
	const char *pattern = trim(a, rest, hash ? (size_t)(hash - rest) : strlen(rest));
	const char *reason = hash ? trim(a, hash + 2, strlen(hash + 2)) : l->comment;

	for (u32 i = 0; i < COUNT(not_ours); i++)
		if (!strcmp(word, not_ours[i])) {
			diag_at(&l->run->diag, DIAG_NOTE, l->file, l->line, 0,
				"'%s:' does not apply to a static check of races; it is ignored",
				word);
			return;
		}
	pattern = *pattern ? glob_of(a, pattern) : "";
	if (!strcmp(word, "race"))
		add_rule(l, RULE_ANY, pattern, reason);
	else if (!strcmp(word, "race_top"))
		add_rule(l, RULE_TOP, pattern, reason);
	else
		mistake(l, arena_printf(a, "unknown kind of suppression '%s:'", word));
}

/* race ID -- reason, and the like. */
static void
read_own(Lines *l, const char *text)
{
	static const char words[] = "race|location|function|file";
	Arena *a = &l->run->arena;
	size_t n = strcspn(text, BLANKS);
	const char *word = arena_dup(a, text, n), *dashes = strstr(text, " -- ");
	const char *end = dashes ? dashes : text + strlen(text), *near;
	u32 kind;

	if (opt_word(words, word, &kind)) {
		add_rule(l, (RuleKind)kind, trim(a, text + n, (size_t)(end - text) - n),
			 dashes ? trim(a, dashes + 4, strlen(dashes + 4)) : NULL);
		return;
	}
	near = opt_closest(a, words, word);
	mistake(l,
		arena_printf(a, "unknown kind of suppression '%s'%s%s%s", word,
			     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ""));
}

static void
read_line(Lines *l, const char *text)
{
	size_t colon = strcspn(text, ": \t");

	if (!*text) {
		l->comment = NULL;
	} else if (*text == '#') {
		l->comment = trim(&l->run->arena, text + 1, strlen(text + 1));
	} else {
		if (text[colon] == ':')
			read_foreign(l, text, colon);
		else
			read_own(l, text);
	}
}

static bool
read_file(Run *run, const char *path, Rules *out)
{
	Lines l = {.run = run, .file = path, .out = out, .ok = true};
	const char *error;
	char *text;
	size_t n;

	if (!file_read(&run->arena, path, &text, &n, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return false;
	}
	for (const char *at = text + file_mark(text, n); at < text + n;) {
		size_t len = strcspn(at, "\n");

		l.line++;
		read_line(&l, trim(&run->arena, at, len));
		at += len + 1;
	}
	return l.ok;
}

bool
rules_read(Run *run, Rules *out)
{
	bool ok = true;

	for (u32 i = 0; i < run->opt->suppressions.n; i++)
		ok &= read_file(run, run->opt->suppressions.at[i], out);
	return ok;
}

/* ---- matching ------------------------------------------------------------------ */

static bool
matches(const Rule *r, const char *text)
{
	return !fnmatch(r->pattern, text, 0);
}

/* One pair as the rules look at it. */
typedef struct Candidate {
	const RaceResult *races;
	const Race *race;
	const Pair *pair;
} Candidate;

static const Access *
side(const Candidate *c, u32 k)
{
	return &c->races->conc->accesses.at[k ? c->pair->b : c->pair->a];
}

static const char *
function_name(const Conc *c, InstId i)
{
	const Fn *f = pta_fn(c->pta, i);

	return ir_str(c->ir, f->pretty ? f->pretty : f->name);
}

static const Src *
source_of(const Candidate *c, u32 k)
{
	const Ir *ir = c->races->conc->ir;

	return &ir->srcs.at[ir_ins(ir, side(c, k)->ins)->src];
}

static const char *
file_name(const Candidate *c, u32 k)
{
	return ir_str(c->races->conc->ir, source_of(c, k)->file);
}

static const char *
file_of_call(const Conc *c, InsId call)
{
	return ir_str(c->ir, c->ir->srcs.at[ir_ins(c->ir, call)->src].file);
}

/* Does it match a function on the way to the access, or the file that this is in? */
static bool
on_path(const Rule *r, const Candidate *c, u32 k)
{
	const Conc *conc = c->races->conc;
	const Access *a = side(c, k);
	const Edge **edges;
	Arena scratch;
	bool found = matches(r, function_name(conc, a->inst)) || matches(r, file_name(c, k));
	u32 n;

	arena_init(&scratch, NULL);
	n = found ? 0 : conc_path(conc, a, &scratch, &edges);
	for (u32 i = 0; i < n && !found; i++)
		found = matches(r, function_name(conc, edges[i]->from)) ||
			matches(r, file_of_call(conc, edges[i]->ins));
	arena_release(&scratch);
	return found;
}

static bool
covers_side(const Rule *r, const Candidate *c, u32 k)
{
	const Src *s = source_of(c, k);
	const char *function = function_name(c->races->conc, side(c, k)->inst);

	switch (r->kind) {
	case RULE_FUNCTION: return matches(r, function);
	case RULE_FILE: return matches(r, file_name(c, k));
	case RULE_TOP: return matches(r, function) || matches(r, file_name(c, k));
	case RULE_ANY: return on_path(r, c, k);
	case RULE_LINES: return s->file == r->source && s->line >= r->from && s->line <= r->last;
	default: return false;
	}
}

static bool
covers(const Rule *r, const Candidate *c)
{
	if (r->kind == RULE_ID)
		return !strcmp(r->pattern, c->race->id);
	if ((r->kind == RULE_LOCATION || r->kind == RULE_ANY) && matches(r, c->race->name))
		return true;
	return covers_side(r, c, 0) || covers_side(r, c, 1);
}

/* The first rule that covers the pair; all that do have been used. */
static const Rule *
find_rule(Rules *rules, const Candidate *c)
{
	const Rule *first = NULL;

	for (u32 i = 0; i < rules->n; i++)
		if ((!first || !rules->at[i].used) && covers(&rules->at[i], c)) {
			rules->at[i].used = true;
			first = first ? first : &rules->at[i];
		}
	return first;
}

static void
apply(Rules *rules, const RaceResult *races, const Race *race, Rung level, Mark *m)
{
	const Rule *first = NULL;
	u32 left = 0;
	bool some = false;

	for (u32 i = 0; i < race->npair; i++) {
		Candidate c = {races, race, &races->pairs.at[race->pair + i]};
		const Rule *r = find_rule(rules, &c);

		if (!i)
			first = r;
		some |= r != NULL;
		if (!r && !left && (c.pair->rung >= level || race->rung < level))
			left = race->pair + i + 1;
	}
	m->left = some ? left : 0;
	if (!left && first) {
		m->suppressed = first->reason;
		m->in_source = first->kind == RULE_LINES;
	}
}

static void
warn_unused(Run *run, const char *file, u32 line)
{
	diag_at(&run->diag, DIAG_WARNING, file, line, 0, "this suppression matches no race");
}

void
rules_apply(Run *run, Rules *rules, const RaceResult *races, Rung level, Mark *marks)
{
	for (u32 i = 0; rules->n && i < races->races.n; i++)
		apply(rules, races, &races->races.at[i], level, &marks[i]);
	for (u32 i = 0; i < rules->n; i++) {
		const Rule *r = &rules->at[i];
		if (run->rules)
			fprintf(run->rules, "%d%u %s%c", r->used, r->line, r->file, 0);
		else if (!r->used)
			warn_unused(run, r->file, r->line);
	}
}

/* What was written, one rule of some program behind the other: is it used, its line, its file. */
void
rules_unused(Run *run, FILE *from)
{
	long size = fseek(from, 0, SEEK_END) ? 0 : ftell(from);
	char *text = arena_alloc(&run->arena, (size_t)MAX(size, 0) + 1);
	Intern names;
	Set used = {0};
	size_t n;

	rewind(from);
	n = fread(text, 1, (size_t)MAX(size, 0), from);
	text[n] = 0;
	intern_init(&names, &run->arena);
	for (const char *at = text; at < text + n; at += strlen(at) + 1) {
		u32 name = intern_str(&names, at + 1);
		if (*at != '0')
			set_add(&run->arena, &used, name);
	}
	for (u32 i = 1; i <= intern_count(&names); i++) {
		const char *name = intern_get(&names, i), *file = strchr(name, ' ');
		if (file && !set_has(&used, i) && !run->opt->quiet)
			warn_unused(run, file + 1, (u32)strtoul(name, NULL, 10));
	}
}

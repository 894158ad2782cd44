/* suppress_source.c - suppressions in the source itself.
 *
 *	x = 1; // concord: ignore(an estimate is enough)
 *
 *	// concord: ignore(reason)          for the next line of code
 *	// concord: ignore-begin(reason)    up to:
 *	// concord: ignore-end
 *
 * Files are read through the result's sources, which reports ask anyway. */
#include "cli/marks.h"

#include "race/source.h"

#include <string.h>

static const char MARKER[] = "concord:";
static const char WORDS[] = "ignore|ignore-begin|ignore-end";

typedef struct Scan {
	Run *run;
	const char *file;
	StrId id;
	const char *text;
	size_t size;
	u32 begin; /* index in out of the open block, plus 1 */
	Rules *out;
} Scan;

static void
mistake(Scan *s, u32 line, const char *what)
{
	diag_at(&s->run->diag, DIAG_ERROR, s->file, line, 0, "%s", what);
}

/* The text between the brackets at p, on one line; null if there is none. */
static const char *
reason_at(Scan *s, const char *p)
{
	size_t n = strcspn(p, "\n");
	const char *close = memrchr(p, ')', n);

	if (*p != '(' || !close)
		return NULL;
	for (p++; p < close && (*p == ' ' || *p == '\t'); p++)
		;
	while (close > p && (close[-1] == ' ' || close[-1] == '\t'))
		close--;
	return close > p ? arena_dup(&s->run->arena, p, (size_t)(close - p)) : NULL;
}

static bool
is_code(const char *line)
{
	line += strspn(line, " \t\r");
	return *line && *line != '\n' && *line != '*' && strncmp(line, "//", 2) != 0 &&
	       strncmp(line, "/*", 2) != 0;
}

/* The last line that a comment on the given line stands for: its own if there
 * is code before it, else the next that has code. */
static u32
last_line(const char *line, const char *comment, u32 number)
{
	bool alone = strspn(line, " \t/*") >= (size_t)(comment - line);

	while (alone && (line = strchr(line, '\n'))) {
		number++;
		line++;
		if (is_code(line) || !*line)
			break;
	}
	return number;
}

static void
add(Scan *s, const char *reason, u32 line, u32 from, u32 last)
{
	vec_push(&s->run->arena, s->out,
		 (Rule){.kind = RULE_LINES,
			.reason = reason,
			.source = s->id,
			.from = from,
			.last = last,
			.file = s->file,
			.line = line});
}

/* Which of WORDS is at p, of n bytes; false, with a warning if one was probably
 * meant. */
static bool
which_word(Scan *s, const char *p, size_t n, u32 number, u32 *which)
{
	Arena *a = &s->run->arena;
	const char *word = arena_dup(a, p, n), *near;

	if (opt_word(WORDS, word, which))
		return true;
	near = n > 2 ? opt_closest(a, WORDS, word) : NULL;
	if (near)
		diag_at(&s->run->diag, DIAG_WARNING, s->file, number, 0,
			"'concord: %s' says nothing; did you mean '%s'?", word, near);
	return false;
}

static void
read_comment(Scan *s, const char *line, const char *at, u32 number)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
	const char *p = at + sizeof MARKER - 1, *reason;
	u32 which;
	bool begin;
	size_t n;

	p += strspn(p, " \t");
	n = strspn(p, letters);
	if (n > 32 || !which_word(s, p, n, number, &which))
		return;
	p += n;
	begin = which == 1;
	if (which == 2) {
		if (s->begin)
			s->out->at[s->begin - 1].last = number;
		else
			mistake(s, number, "ignore-end without its ignore-begin");
		s->begin = 0;
		return;
	}
	reason = reason_at(s, p);
	if (!reason) {
		mistake(s, number, "a suppression needs a reason: concord: ignore(reason)");
	} else if (!begin) {
		add(s, reason, number, number, last_line(line, at, number));
	} else if (s->begin) {
		mistake(s, number, "ignore-begin within another one");
	} else {
		add(s, reason, number, number, UINT32_MAX);
		s->begin = s->out->n;
	}
}

static void
scan_text(Scan *s)
{
	const char *line = s->text, *at = s->text;
	u32 number = 1;

	while ((at = memmem(at, s->size - (size_t)(at - s->text), MARKER, sizeof MARKER - 1))) {
		const char *next;

		while ((next = memchr(line, '\n', (size_t)(at - line)))) {
			line = next + 1;
			number++;
		}
		read_comment(s, line, at, number);
		at += sizeof MARKER - 1;
	}
	if (s->begin) {
		mistake(s, s->out->at[s->begin - 1].line, "ignore-begin without its ignore-end");
		s->out->n = s->begin - 1;
	}
}

void
rules_scan(Run *run, const RaceResult *races, Rules *out)
{
	const Ir *ir = races->conc->ir;
	Set seen = {0};

	for (SrcId i = 1; i < ir->srcs.n; i++) {
		StrId file = ir->srcs.at[i].file;
		Scan s = {.run = run, .id = file, .out = out};

		if (!file || !set_add(&run->arena, &seen, file))
			continue;
		s.file = ir_str(ir, file);
		s.text = source_text(races->sources, file, &s.size);
		if (s.text)
			scan_text(&s);
	}
	set_recycle(&run->arena, &seen);
}

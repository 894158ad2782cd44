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

/* A comment that names us; at: the marker in it. */
typedef struct Comment {
	const char *at, *end;
	u32 line, first;  /* of the marker, and where the comment starts */
	bool behind_code; /* which stands on its first line */
} Comment;

typedef struct Scan {
	Run *run;
	const char *file;
	StrId id;
	const char *text, *stop;
	u32 begin;          /* index in out of the open block, plus 1 */
	bool *code;         /* [line]: is there more on it than comments? */
	u32 line, lines;    /* where we are, and how many there are */
	Vec(Comment) found; /* in the order of the text */
	Rules *out;
} Scan;

static void
mistake(Scan *s, u32 line, const char *what)
{
	diag_at(&s->run->diag, DIAG_ERROR, s->file, line, 0, "%s", what);
}

/* The bracket that closes the one at p, in the same comment; else the last one on the line. */
static const char *
closing(const Comment *c, const char *p)
{
	const char *line = memchr(p, '\n', (size_t)(c->end - p));
	u32 depth = 0;

	for (const char *q = p; q < c->end; q++) {
		depth += *q == '(';
		if (*q == ')' && !--depth)
			return q;
	}
	return memrchr(p, ')', (size_t)((line ? line : c->end) - p));
}

static u32
trimmed(const char *s, u32 n)
{
	while (n && strchr(" \t\r", s[n - 1]))
		n--;
	return n;
}

/* The text between the brackets at p, as one line; null if there is none. */
static const char *
reason_at(Scan *s, const Comment *c, const char *p)
{
	const char *close = p < c->end && *p == '(' ? closing(c, p) : NULL;
	char *out;
	u32 n = 0;

	if (!close)
		return NULL;
	out = arena_alloc(&s->run->arena, (size_t)(close - p) + 1);
	p++;
	for (p += strspn(p, " \t"); p < close;) {
		if (*p != '\n') {
			out[n++] = *p++;
			continue;
		}
		n = trimmed(out, n);
		if (n)
			out[n++] = ' ';
		p += strspn(p, " \t\r\n*"); /* with which comments start their lines */
	}
	n = trimmed(out, n);
	out[n] = 0;
	return n ? out : NULL;
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

/* The lines that a comment stands for: its own if there is code, else the next that has
 * code. */
static void
add_lines(Scan *s, const Comment *c, const char *reason)
{
	u32 from = c->behind_code ? c->first : c->line, last = c->line;

	if (!c->behind_code)
		while (last < s->lines && !s->code[last])
			last++;
	add(s, reason, c->line, from, last);
}

static void
read_comment(Scan *s, const Comment *c)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
	const char *p = c->at + sizeof MARKER - 1, *reason;
	u32 which;
	size_t n;

	p += strspn(p, " \t");
	n = strspn(p, letters);
	if (n > 32 || !which_word(s, p, n, c->line, &which))
		return;
	p += n;
	if (which == 2) {
		if (s->begin)
			s->out->at[s->begin - 1].last = c->line;
		else
			mistake(s, c->line, "ignore-end without its ignore-begin");
		s->begin = 0;
		return;
	}
	reason = reason_at(s, c, p);
	if (!reason) {
		mistake(s, c->line, "a suppression needs a reason: concord: ignore(reason)");
	} else if (which == 0) {
		add_lines(s, c, reason);
	} else if (s->begin) {
		mistake(s, c->line, "ignore-begin within another one");
	} else {
		add(s, reason, c->line, c->line, UINT32_MAX);
		s->begin = s->out->n;
	}
}

/* ---- comments and code ----------------------------------------------------------- */

/* The end of the comment that starts at p: behind its mark, or at the end of its last line. */
static const char *
comment_end(const Scan *s, const char *p)
{
	const char *q;

	if (p[1] == '*') {
		q = memmem(p + 2, (size_t)(s->stop - p - 2), "*/", 2);
		return q ? q + 2 : s->stop;
	}
	for (q = p; q < s->stop && (*q != '\n' || q[-1] == '\\'); q++)
		;
	return q;
}

static const char *
skip_comment(Scan *s, const char *p)
{
	Comment c = {.end = comment_end(s, p), .first = s->line, .behind_code = s->code[s->line]};

	for (; p < c.end; p++) {
		s->line += *p == '\n';
		if ((size_t)(c.end - p) < sizeof MARKER || memcmp(p, MARKER, sizeof MARKER - 1))
			continue;
		c.at = p;
		c.line = s->line;
		vec_push(&s->run->arena, &s->found, c);
	}
	return p;
}

static bool
in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '\'';
}

/* Is the quote at p one of those in 1'000'000? */
static bool
parts_digits(const Scan *s, const char *p)
{
	while (p > s->text && in_word(p[-1]))
		p--;
	return *p >= '0' && *p <= '9';
}

/* Behind a string or character constant, which ends with its line at the latest. */
static const char *
skip_constant(const Scan *s, const char *p)
{
	char quote = *p++;

	if (quote == '\'' && parts_digits(s, p - 1))
		return p;
	for (; p < s->stop && *p != '\n'; p++) {
		if (*p == quote)
			return p + 1;
		if (*p == '\\' && p + 1 < s->stop && p[1] != '\n')
			p++;
	}
	return p;
}

static void
scan_text(Scan *s)
{
	const char *p = s->text;

	while (p < s->stop) {
		if (*p == '/' && p + 1 < s->stop && (p[1] == '/' || p[1] == '*')) {
			p = skip_comment(s, p);
			continue;
		}
		s->line += *p == '\n';
		s->code[s->line] |= !strchr(" \t\r\n\f\v", *p);
		p = *p == '"' || *p == '\'' ? skip_constant(s, p) : p + 1;
	}
	for (u32 i = 0; i < s->found.n; i++)
		read_comment(s, &s->found.at[i]);
	if (s->begin) {
		mistake(s, s->out->at[s->begin - 1].line, "ignore-begin without its ignore-end");
		s->out->n = s->begin - 1;
	}
}

static u32
count_lines(const char *text, size_t n)
{
	const char *end = text + n;
	u32 lines = 1;

	while ((text = memchr(text, '\n', (size_t)(end - text)))) {
		text++;
		lines++;
	}
	return lines;
}

/* Most files have no such comment. */
static void
scan_file(Scan *s, size_t n)
{
	if (!memmem(s->text, n, MARKER, sizeof MARKER - 1))
		return;
	s->stop = s->text + n;
	s->line = 1;
	s->lines = count_lines(s->text, n);
	s->code = arena_array(&s->run->arena, bool, s->lines + 1);
	scan_text(s);
}

void
rules_scan(Run *run, const RaceResult *races, Rules *out)
{
	const Ir *ir = races->conc->ir;
	Set seen = {0};

	for (SrcId i = 1; i < ir->srcs.n; i++) {
		StrId file = ir->srcs.at[i].file;
		Scan s = {.run = run, .id = file, .out = out};
		size_t n;

		if (!file || !set_add(&run->arena, &seen, file))
			continue;
		s.file = ir_str(ir, file);
		s.text = source_text(races->sources, file, &n);
		if (s.text)
			scan_file(&s, n);
	}
	set_recycle(&run->arena, &seen);
}

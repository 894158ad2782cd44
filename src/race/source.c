/* source.c - see source.h.
 *
 * Each file keeps the offsets of its lines: reports jump about in a file, and
 * a file is small beside the analysis of it. */
#include "race/source.h"

#include "base/file.h"
#include "race/statement.h"

#include <string.h>

typedef struct File {
	const char *text; /* null: could not be read */
	size_t size;
	VecU32 starts; /* of its lines, once one was asked for */
} File;

struct Sources {
	Arena *arena;
	const Ir *ir;
	Map index; /* StrId -> position in files plus 1 */
	Vec(File) files;
	const char *path; /* may be null */
	Tokens tokens;    /* of a statement */
};

enum { REACH = 32 }; /* lines of a statement before and behind one of it */

Sources *
sources_new(Arena *a, const Ir *ir)
{
	Sources *s = arena_new(a, Sources);

	s->arena = a;
	s->ir = ir;
	return s;
}

static void
load(Sources *s, File *f, const char *path)
{
	const char *error;
	char *text;

	if (!*path || !strcmp(path, "-") || !file_exists(path) || file_is_dir(path) ||
	    !file_read(s->arena, path, &text, &f->size, &error) || f->size >= UINT32_MAX)
		return;
	f->text = text;
}

static void
list_lines(Sources *s, File *f)
{
	const char *end = f->text + f->size, *at = f->text;

	vec_push(s->arena, &f->starts, 0);
	while ((at = memchr(at, '\n', (size_t)(end - at))))
		vec_push(s->arena, &f->starts, (u32)(++at - f->text));
}

void
sources_path(Sources *s, const char *path)
{
	s->path = path;
}

/* Tries the directories of the path. */
static void
load_below(Sources *s, File *f, const char *name)
{
	for (const char *at = s->path; at && *at && !f->text;) {
		size_t n = strcspn(at, ":");
		load(s, f, file_join(s->arena, arena_dup(s->arena, at, n), name));
		at += n + (at[n] == ':');
	}
}

static File *
find(Sources *s, StrId file)
{
	u32 at = map_get(&s->index, file);

	if (!at) {
		File f = {0};

		load(s, &f, ir_str(s->ir, file));
		if (!f.text)
			load_below(s, &f, ir_str(s->ir, file));
		vec_push(s->arena, &s->files, f);
		at = s->files.n;
		map_put(s->arena, &s->index, file, at);
	}
	return &s->files.at[at - 1];
}

const char *
source_text(Sources *s, StrId file, size_t *n)
{
	const File *f = find(s, file);

	*n = f->size;
	return f->text;
}

const char *
source_line(Sources *s, StrId file, u32 line, u32 *len)
{
	File *f;
	u32 start, end;

	*len = 0;
	if (!file || !line)
		return NULL;
	f = find(s, file);
	if (f->text && !f->starts.n)
		list_lines(s, f);
	if (!f->text || line > f->starts.n)
		return NULL;
	start = f->starts.at[line - 1];
	end = line < f->starts.n ? f->starts.at[line] - 1 : (u32)f->size;
	if (end > start && f->text[end - 1] == '\r')
		end--;
	*len = end - start;
	return f->text + start;
}

/* What is behind a comment that began before the line; all of it if none did. */
static const char *
behind_comment(const char *line, u32 len)
{
	const char *end = memmem(line, len, "*/", 2);

	return end && !memmem(line, (size_t)(end - line), "/*", 2) ? end + 2 : line;
}

/* The line on which a comment began that is still open where this one begins. */
static u32
comment_start(Sources *s, StrId file, u32 line)
{
	const char *text;
	u32 len;

	do
		text = source_line(s, file, --line, &len);
	while (line > 1 && !memmem(text, len, "/*", 2));
	return line;
}

/* The first line from which on all is one statement with line, or is comments. */
static u32
first_line(Sources *s, StrId file, u32 line)
{
	u32 k = line, len, closed;
	const char *text = source_line(s, file, line, &len);

	closed = statement_line(text, len).closed;
	while (k > 1 && line - k < REACH) {
		u32 above = k - 1;
		const char *rest;
		LineEnd e;

		text = source_line(s, file, above, &len);
		rest = behind_comment(text, len);
		e = statement_line(rest, len - (u32)(rest - text));
		if (e.block || (e.semicolon && !e.opened && !closed))
			return k;
		closed = closed - MIN(closed, e.opened) + e.closed;
		if (rest != text && above > 1)
			above = comment_start(s, file, above) + 1;
		if (line - above >= REACH && rest != text)
			return k;
		k = above;
	}
	return k;
}

/* Where the last line of the statement ends. */
static const char *
last_end(Sources *s, StrId file, u32 first, u32 line)
{
	const char *end = NULL, *text;
	u32 open = 0, len;

	for (u32 k = first; k < line + REACH && (text = source_line(s, file, k, &len)); k++) {
		LineEnd e = statement_line(text, len);

		end = text + len;
		open = e.block ? 0 : open - MIN(open, e.closed) + e.opened;
		if (k >= line && (e.block || (e.semicolon && !open)))
			break;
	}
	return end;
}

const char *
source_statement(Sources *s, StrId file, u32 line, u32 col)
{
	u32 len, first, more;
	const char *text = source_line(s, file, line, &len), *start, *end;

	if (!text)
		return NULL;
	first = first_line(s, file, line);
	start = source_line(s, file, first, &more);
	end = last_end(s, file, first, line);
	if (col > len)
		col = 0;
	return statement_text(s->arena, &s->tokens, start, (u32)(end - start),
			      text + (col ? col - 1 : 0), text + (col ? col - 1 : len));
}

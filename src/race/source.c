/* source.c - see source.h.
 *
 * Each file keeps the offsets of its lines: reports jump about in a file, and
 * a file is small beside the analysis of it. */
#include "race/source.h"

#include "base/file.h"

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
};

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

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* How many bytes of a comment start at text, up to the end of the line; 0: none
 * does. */
static u32
comment(const char *text, u32 len)
{
	if (len < 2 || text[0] != '/' || (text[1] != '/' && text[1] != '*'))
		return 0;
	for (u32 i = 2; text[1] == '*' && i + 1 < len; i++)
		if (text[i] == '*' && text[i + 1] == '/')
			return i + 2;
	return len;
}

/* The bytes of the string or character constant that starts at text, or 1. */
static u32
token(const char *text, u32 len)
{
	if (*text != '"' && *text != '\'')
		return 1;
	for (u32 i = 1; i < len; i++) {
		if (text[i] == *text)
			return i + 1;
		i += text[i] == '\\';
	}
	return len;
}

/* Between two words, white space counts. */
static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || (unsigned char)c >= 0x80;
}

const char *
source_normal(Sources *s, StrId file, u32 line)
{
	u32 len, n = 0, skip;
	const char *text = source_line(s, file, line, &len);
	bool gap = false;
	char *out;

	if (!text)
		return NULL;
	out = arena_alloc(s->arena, len + 1);
	for (u32 i = 0; i < len; i += skip) {
		skip = comment(text + i, len - i);
		if (skip || is_blank(text[i])) {
			skip = MAX(skip, 1);
			gap = n > 0;
			continue;
		}
		if (gap && is_word(out[n - 1]) && is_word(text[i]))
			out[n++] = ' ';
		gap = false;
		skip = token(text + i, len - i);
		memcpy(out + n, text + i, skip);
		n += skip;
	}
	out[n] = 0;
	return out;
}

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
	VecU32 starts;
} File;

struct Sources {
	Arena *arena;
	const Ir *ir;
	Map index; /* StrId -> position in files plus 1 */
	Vec(File) files;
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
	vec_push(s->arena, &f->starts, 0);
	for (size_t i = 0; i < f->size; i++)
		if (text[i] == '\n')
			vec_push(s->arena, &f->starts, (u32)i + 1);
}

static const File *
find(Sources *s, StrId file)
{
	u32 at = map_get(&s->index, file);

	if (!at) {
		File f = {0};

		load(s, &f, ir_str(s->ir, file));
		vec_push(s->arena, &s->files, f);
		at = s->files.n;
		map_put(s->arena, &s->index, file, at);
	}
	return &s->files.at[at - 1];
}

const char *
source_line(Sources *s, StrId file, u32 line, u32 *len)
{
	const File *f;
	u32 start, end;

	*len = 0;
	if (!file || !line)
		return NULL;
	f = find(s, file);
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

const char *
source_normal(Sources *s, StrId file, u32 line)
{
	u32 len, n = 0;
	const char *text = source_line(s, file, line, &len);
	char *out;

	if (!text)
		return NULL;
	out = arena_alloc(s->arena, len + 1);
	for (u32 i = 0; i < len; i++) {
		if (!is_blank(text[i]))
			out[n++] = text[i];
		else if (n && i + 1 < len && !is_blank(text[i + 1]))
			out[n++] = ' ';
	}
	out[n] = 0;
	return out;
}

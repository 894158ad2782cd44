/* capture_record.c - compilations and links as small JSON files; capture.h
 * says where they are. */
#include "cli/capture.h"

#include "base/file.h"
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

void
record_put_hash(Json *j, const char *key, u64 hash)
{
	json_key(j, key);
	json_strf(j, "%016lx", (unsigned long)hash);
}

u64
record_hash(const JsonVal *v, const char *key)
{
	const char *s = json_get_str(v, key);

	return s ? strtoull(s, NULL, 16) : 0;
}

static char *
stem(Arena *a, const char *dir, const char *kind, const char *path, u64 salt)
{
	u64 key = hash_u64(hash_bytes(path, strlen(path)) + hash_u64(salt));

	return arena_printf(a, "%s/%s/%016lx", dir, kind, (unsigned long)key);
}

char *
unit_stem(Arena *a, const char *dir, const Unit *u)
{
	return stem(a, dir, "units", u->object, u->hash);
}

static bool
begin(Arena *a, FileOut *out, Json *j, const char *path, const char **error)
{
	if (!file_out_open(out, a, path, error))
		return false;
	json_init(j, out->to, true);
	json_obj_begin(j);
	return true;
}

static bool
commit(Arena *a, FileOut *out, Json *j, const char **error)
{
	json_obj_end(j);
	json_finish(j);
	return file_out_commit(out, a, error);
}

bool
unit_write(Arena *a, const char *dir, const Unit *u, const char **error)
{
	FileOut out;
	Json j;

	if (!begin(a, &out, &j, arena_printf(a, "%s.json", unit_stem(a, dir, u)), error))
		return false;
	json_put_str(&j, "object", u->object);
	record_put_hash(&j, "hash", u->hash);
	json_put_str(&j, "source", u->source);
	json_put_str(&j, "directory", u->directory);
	json_key(&j, "arguments");
	json_arr_begin(&j);
	for (u32 i = 0; i < u->argv.n; i++)
		json_str(&j, u->argv.at[i]);
	json_arr_end(&j);
	json_put_str(&j, "bitcode", u->bitcode ? file_base(u->bitcode) : NULL);
	record_put_hash(&j, "content", u->content);
	json_put_str(&j, "failed", u->failed);
	return commit(a, &out, &j, error);
}

bool
link_write(Arena *a, const char *dir, const Link *k, const char **error)
{
	FileOut out;
	Json j;

	if (!begin(a, &out, &j, arena_printf(a, "%s.json", stem(a, dir, "links", k->output, 0)),
		   error))
		return false;
	json_put_str(&j, "output", k->output);
	record_put_hash(&j, "hash", k->hash);
	json_put_str(&j, "kind", link_kind_name(k->kind));
	json_key(&j, "parts");
	json_arr_begin(&j);
	for (u32 i = 0; i < k->parts.n; i++) {
		json_obj_begin(&j);
		json_put_str(&j, "path", k->parts.at[i].path);
		json_put_str(&j, "member", k->parts.at[i].member);
		record_put_hash(&j, "hash", k->parts.at[i].hash);
		json_obj_end(&j);
	}
	json_arr_end(&j);
	return commit(a, &out, &j, error);
}

/* ---- reading ------------------------------------------------------------------- */

static const char *
add_unit(Arena *a, const char *dir, const JsonVal *v, Units *units)
{
	const char *bitcode = json_get_str(v, "bitcode");
	Unit u = {.object = json_get_str(v, "object"),
		  .hash = record_hash(v, "hash"),
		  .source = json_get_str(v, "source"),
		  .directory = json_get_str(v, "directory"),
		  .content = record_hash(v, "content"),
		  .failed = json_get_str(v, "failed")};

	if (!u.object || !u.source || !u.directory)
		return "not the record of a compilation";
	u.bitcode = bitcode ? arena_printf(a, "%s/units/%s", dir, bitcode) : NULL;
	vec_push(a, units, u);
	return NULL;
}

static const char *
add_link(Arena *a, const JsonVal *v, Links *links)
{
	const JsonVal *parts = json_get(v, "parts");
	const char *kind = json_get_str(v, "kind");
	Link k = {.output = json_get_str(v, "output"), .hash = record_hash(v, "hash")};

	while (kind && k.kind < LINK_OBJECT && strcmp(link_kind_name(k.kind), kind) != 0)
		k.kind++;
	if (!k.output || !kind || !parts || parts->kind != JSON_ARR)
		return "not the record of a link";
	for (u32 i = 0; i < parts->n; i++) {
		const JsonVal *p = &parts->items[i];
		Part part = {json_get_str(p, "path"), json_get_str(p, "member"),
			     record_hash(p, "hash")};
		if (!part.path)
			return "a part of the link has no path";
		vec_push(a, &k.parts, part);
	}
	vec_push(a, links, k);
	return NULL;
}

/* Reads the records of one kind. */
static void
read_records(Arena *a, const char *dir, const char *kind, Units *units, Links *links, Diag *diag)
{
	const char *below = file_join(a, dir, kind), *error = NULL;
	char **names = NULL, *text;
	u32 n = 0;

	if (!file_list(a, below, &names, &n, &error))
		diag_error(diag, NULL, "%s", error);
	for (u32 i = 0; i < n; i++) {
		const char *path = file_join(a, below, names[i]);
		const JsonVal *v = NULL;
		size_t size;
		if (strcmp(file_ext(path), "json") != 0)
			continue;
		error = NULL;
		if (file_read(a, path, &text, &size, &error))
			v = json_parse(a, text, size, &error);
		if (v)
			error = units ? add_unit(a, dir, v, units) : add_link(a, v, links);
		if (error)
			diag_error(diag, path, "%s", error);
	}
}

void
capture_read(Arena *a, const char *dir, Units *units, Links *links, Diag *diag)
{
	read_records(a, dir, "units", units, NULL, diag);
	read_records(a, dir, "links", NULL, links, diag);
}

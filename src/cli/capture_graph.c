/* capture_graph.c - from records of compilations and links to programs.
 *
 * A part of a link is looked up by path and contents, then by contents alone
 * (it was moved, copied or archived), then by path alone (it was changed after
 * it was compiled: stripped, say), then, for a member of an archive, by a file
 * name that only one object has.  It may be a unit or the output of another
 * link, which is then expanded in its place; each link is expanded once, so
 * this ends.  What is found nowhere has no C source that was compiled here. */
#include "cli/capture.h"

#include "base/file.h"
#include "base/json.h"
#include "base/map.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where things are: position + 1. */
typedef struct Index {
	Map both, hash, path, base;
} Index;

enum { AMBIGUOUS = UINT32_MAX };

typedef struct Graph {
	Arena *arena;
	const Units *units;
	const Links *links;
	const char *cwd;
	Index of_unit, of_link;
} Graph;

static u64
text_key(const char *s)
{
	return hash_bytes(s, strlen(s));
}

static u64
both_key(const char *path, u64 hash)
{
	return hash_u64(text_key(path) + hash_u64(hash));
}

static void
enter(Graph *g, Index *x, const char *path, u64 hash, u32 i)
{
	u64 base = text_key(file_base(path));

	map_put(g->arena, &x->both, both_key(path, hash), i + 1);
	if (!map_get(&x->hash, hash))
		map_put(g->arena, &x->hash, hash, i + 1);
	map_put(g->arena, &x->path, text_key(path), i + 1);
	map_put(g->arena, &x->base, base, map_get(&x->base, base) ? AMBIGUOUS : i + 1);
}

static void
index_all(Graph *g)
{
	for (u32 i = 0; i < g->units->n; i++)
		enter(g, &g->of_unit, g->units->at[i].object, g->units->at[i].hash, i);
	for (u32 i = 0; i < g->links->n; i++)
		if (g->links->at[i].kind != LINK_ARCHIVE)
			enter(g, &g->of_link, g->links->at[i].output, g->links->at[i].hash, i);
}

/* The position of p in x's list plus 1, 0 if it is not there. */
static u32
find_exact(const Index *x, const Part *p)
{
	u32 i = p->member ? 0 : map_get(&x->both, both_key(p->path, p->hash));

	return i ? i : map_get(&x->hash, p->hash);
}

static u32
find_near(const Index *x, const Part *p)
{
	u32 i = p->member ? map_get(&x->base, text_key(p->member))
			  : map_get(&x->path, text_key(p->path));

	return i == AMBIGUOUS ? 0 : i;
}

/* ---- expanding --------------------------------------------------------------- */

typedef struct Expand {
	Graph *g;
	Program *program;
	Map units, links;    /* what is in already */
	const char *library; /* the shared one that is being expanded, null for none */
	Map archives;        /* path -> position + 1 in foreign */
	struct Foreign {
		const char *path;
		u32 members;
	} *foreign;
	u32 nforeign, cap;
} Expand;

static void
assume(Expand *x, const char *text)
{
	vec_push(x->g->arena, &x->program->assumptions, text);
}

static void
add_unit(Expand *x, u32 i)
{
	const Unit *u = &x->g->units->at[i];
	Arena *a = x->g->arena;
	const char *source = file_shorten(a, file_join(a, u->directory, u->source), x->g->cwd);

	if (map_get(&x->units, i))
		return;
	map_put(a, &x->units, i, 1);
	if (u->bitcode) {
		vec_push(a, &x->program->units, u);
		vec_push(a, &x->program->library, x->library);
	} else
		assume(x, arena_printf(a, "%s is not analysed: %s", source,
				       u->failed ? u->failed : "clang does not compile it"));
}

static void
add_foreign(Expand *x, const Part *p)
{
	u32 *at = map_at(x->g->arena, &x->archives, text_key(p->path));

	if (!*at) {
		x->foreign =
		    vec_room(x->g->arena, x->foreign, &x->cap, x->nforeign + 1, sizeof *x->foreign);
		x->foreign[x->nforeign++] = (struct Foreign){p->path, 0};
		*at = x->nforeign;
	}
	x->foreign[*at - 1].members += p->member != NULL;
}

static void
tell_foreign(Expand *x)
{
	for (u32 i = 0; i < x->nforeign; i++) {
		const struct Foreign *f = &x->foreign[i];
		const char *path = file_shorten(x->g->arena, f->path, x->g->cwd);
		if (f->members)
			assume(x, arena_printf(x->g->arena,
					       "%s: %u objects that were not compiled here from C "
					       "are not analysed",
					       path, f->members));
		else
			assume(x, arena_printf(
				      x->g->arena,
				      "%s was not compiled here from C and is not analysed", path));
	}
}

static void expand(Expand *x, u32 link);

static void
add_part(Expand *x, const Part *p)
{
	u32 unit = find_exact(&x->g->of_unit, p), link = find_exact(&x->g->of_link, p);

	if (!unit && !link) {
		unit = find_near(&x->g->of_unit, p);
		link = find_near(&x->g->of_link, p);
	}
	if (unit)
		add_unit(x, unit - 1);
	else if (link)
		expand(x, link - 1);
	else if (!strstr(file_base(p->path), ".so")) /* a shared one is the system's business */
		add_foreign(x, p);
}

static void
expand(Expand *x, u32 link)
{
	const Link *k = &x->g->links->at[link];
	const char *outer = x->library;

	if (map_get(&x->links, link))
		return;
	map_put(x->g->arena, &x->links, link, 1);
	vec_push(x->g->arena, &x->program->outputs, k->output);
	if (k->kind == LINK_SHARED)
		x->library = k->output;
	for (u32 i = 0; i < k->parts.n; i++)
		add_part(x, &k->parts.at[i]);
	x->library = outer;
}

/* ---- all programs ---------------------------------------------------------------- */

static int
by_output(const void *a, const void *b)
{
	const Program *x = a, *y = b;

	return strcmp(x->output, y->output);
}

/* A file name where it is the only one, else the path with dashes. */
static void
give_names(Graph *g, Programs *p)
{
	Map seen = {0};

	for (u32 i = 0; i < p->n; i++) {
		u64 key = text_key(file_base(p->at[i].output));
		map_put(g->arena, &seen, key, map_get(&seen, key) + 1);
	}
	for (u32 i = 0; i < p->n; i++) {
		const char *base = file_base(p->at[i].output);
		char *name = arena_strdup(g->arena, base);
		if (map_get(&seen, text_key(base)) > 1)
			name = file_shorten(g->arena, p->at[i].output, g->cwd);
		for (char *c = name; *c; c++)
			if (*c == '/')
				*c = '-';
		p->at[i].name = name;
	}
}

/* Without a link, all that was compiled is one program. */
static void
add_unlinked(Graph *g, Programs *out)
{
	Program p = {.name = "unlinked", .kind = LINK_EXECUTABLE, .output = "unlinked"};
	Expand x = {.g = g, .program = &p};

	for (u32 i = 0; i < g->units->n; i++)
		if (file_exists(g->units->at[i].object))
			add_unit(&x, i);
	if (p.units.n || p.assumptions.n)
		vec_push(g->arena, out, p);
}

void
capture_programs(Arena *a, const Units *units, const Links *links, const char *cwd, Programs *out)
{
	Graph g = {.arena = a, .units = units, .links = links, .cwd = cwd};

	index_all(&g);
	for (u32 i = 0; i < links->n; i++) {
		const Link *k = &links->at[i];
		Program p = {.output = k->output, .kind = k->kind, .gone = !file_exists(k->output)};
		Expand x = {.g = &g, .program = &p};
		if (k->kind == LINK_OBJECT)
			continue;
		expand(&x, i);
		tell_foreign(&x);
		vec_push(a, out, p);
	}
	if (out->n)
		qsort(out->at, out->n, sizeof *out->at, by_output);
	give_names(&g, out);
	if (!out->n)
		add_unlinked(&g, out);
}

/* ---- NAME.link ---------------------------------------------------------------------- */

static void
put_program(Json *j, const Program *p)
{
	json_obj_begin(j);
	json_put_str(j, "output", p->output);
	json_put_str(j, "kind", link_kind_name(p->kind));
	json_key(j, "units");
	json_arr_begin(j);
	for (u32 i = 0; i < p->units.n; i++) {
		json_obj_begin(j);
		json_put_str(j, "source", p->units.at[i]->source);
		json_put_str(j, "directory", p->units.at[i]->directory);
		json_key(j, "bitcode");
		json_strf(j, "units/%s", file_base(p->units.at[i]->bitcode));
		record_put_hash(j, "content", p->units.at[i]->content);
		if (p->library.at[i])
			json_put_str(j, "library", p->library.at[i]);
		json_obj_end(j);
	}
	json_arr_end(j);
	json_key(j, "assumptions");
	json_arr_begin(j);
	for (u32 i = 0; i < p->assumptions.n; i++)
		json_str(j, p->assumptions.at[i]);
	json_arr_end(j);
	json_obj_end(j);
	json_finish(j);
}

bool
programs_write(Arena *a, const char *dir, const Programs *p, const char **error)
{
	char **names = NULL;
	u32 n = 0;

	if (!file_list(a, dir, &names, &n, error))
		return false;
	for (u32 i = 0; i < n; i++)
		if (!strcmp(file_ext(names[i]), "link"))
			(void)unlink(file_join(a, dir, names[i]));
	for (u32 i = 0; i < p->n; i++) {
		const char *path = arena_printf(a, "%s/%s.link", dir, p->at[i].name);
		FileOut out;
		Json j;
		if (!file_out_open(&out, a, path, error))
			return false;
		json_init(&j, out.to, true);
		put_program(&j, &p->at[i]);
		if (!file_out_commit(&out, a, error))
			return false;
	}
	return true;
}

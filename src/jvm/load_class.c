/* load_class.c - classes by name, each with all classes above it.
 *
 * A class that is missing, broken or not what its file's name says is kept as
 * a name without members: calls of its methods are calls of unknown functions.
 * Superclass chains are cut where they are cyclic or absurdly long. */
#include "ir/class.h"
#include "jvm/load_open.h"

#include <string.h>

enum { CHAIN_MOST = 256, MISSING_LISTED = 200 };

void
world_assume(World *w, const char *text)
{
	Ir *ir = w->extra;

	vec_push(ir->arena, &ir->assumes, (Assume){intern_str(&ir->strs, text), 0, 0});
}

const char *
world_name(World *w, KlassId k)
{
	return intern_get(&w->strs, world_klass(w, k)->name);
}

/* ---- names ----------------------------------------------------------------- */

static StrId
intern_dotted(World *w, const char *name, size_t n)
{
	char *s = arena_dup(w->arena, name, n);

	for (size_t i = 0; i < n; i++)
		s[i] = s[i] == '/' ? '.' : s[i];
	return intern_bytes(&w->strs, s, n);
}

static const char *
slashed(World *w, StrId name)
{
	char *s = arena_strdup(w->arena, intern_get(&w->strs, name));

	for (char *c = s; *c; c++)
		*c = *c == '.' ? '/' : *c;
	return s;
}

StrId
world_member(World *w, const JMember *m)
{
	return intern_str(&w->strs, arena_printf(w->arena, "%.*s%.*s", (int)m->name.n, m->name.at,
						 (int)m->desc.n, m->desc.at));
}

/* ---- reading --------------------------------------------------------------- */

/* No file holds a class of arrays, nor one that is made at run time; a model may name them. */
static bool
has_no_file(const char *name)
{
	size_t n = strlen(name);

	return !strcmp(name, OBJECT_OF_ANY) || (n > 2 && !strcmp(name + n - 2, "[]"));
}

/* The parsed file of k; null, after a message, if there is none of use. */
static ClassFile *
read_class(World *w, Klass *k)
{
	ClassFile *c = arena_new(w->arena, ClassFile);
	const char *name = slashed(w, k->name), *why = NULL;
	ClassBytes bytes;

	if (has_no_file(name))
		return NULL;
	if (!path_find(w->path, name, &bytes)) {
		if (path_has_skipped(w->path, name))
			return NULL;
		if (!w->missing)
			w->missing = intern_get(&w->strs, k->name);
		if (w->stats->missing++ < MISSING_LISTED)
			world_assume(w,
				     arena_printf(w->arena,
						  "class %s was not found: what it does is unknown",
						  intern_get(&w->strs, k->name)));
		return NULL;
	}
	k->role = bytes.role;
	if (class_parse(c, w->arena, bytes.at, bytes.n, &why) && !jstr_is(c->name, name))
		why =
		    arena_printf(w->arena, "the file holds class %.*s", (int)c->name.n, c->name.at);
	if (!why)
		return c;
	path_skip(w->path, name, bytes.from, bytes.role, why);
	return NULL;
}

static void
add_above(World *w, VecU32 *all, KlassId above)
{
	const Klass *k = world_klass(w, above);

	for (u32 i = 0; i < k->all.n; i++) {
		bool has = false;
		for (u32 j = 0; j < all->n && !has; j++)
			has = all->at[j] == k->all.at[i];
		if (!has)
			vec_push(w->arena, all, k->all.at[i]);
	}
}

/* A class or interface above k; 0 if it would close a circle, which jvm_resolve
 * lists as an assumption. */
static KlassId
load_above(World *w, KlassId k, JStr name)
{
	KlassId above = world_class_named(w, name.at, name.n);

	if (!world_klass(w, above)->loading)
		return above;
	diag_warning(w->diag, NULL, "class %s inherits from itself; that is ignored",
		     world_name(w, k));
	return 0;
}

static void
load_supers(World *w, KlassId id, const ClassFile *c)
{
	KlassId *ifaces = arena_array(w->arena, KlassId, c->niface), above;
	VecU32 all = {0};
	u32 n = 0;

	vec_push(w->arena, &all, id);
	above = c->super.n ? load_above(w, id, c->super) : 0;
	world_klass(w, id)->super = above;
	if (above)
		add_above(w, &all, above);
	for (u32 i = 0; i < c->niface; i++) {
		above = load_above(w, id, c->ifaces[i]);
		if (above) {
			ifaces[n++] = above;
			add_above(w, &all, above);
		}
	}
	world_klass(w, id)->ifaces = ifaces;
	world_klass(w, id)->niface = n;
	world_klass(w, id)->all = all;
}

static void
load(World *w, KlassId id)
{
	ClassFile *file;
	const ClassFile *c;
	Klass *k = world_klass(w, id);

	if (w->depth == CHAIN_MOST) {
		world_assume(w, arena_printf(w->arena,
					     "class %s has too many classes above it: ignored",
					     intern_get(&w->strs, k->name)));
		return;
	}
	file = read_class(w, k);
	if (!file)
		return;
	file->library = k->role > PATH_BESIDE && !open_matches(w, intern_get(&w->strs, k->name));
	c = file;
	k->loading = true;
	w->depth++;
	load_supers(w, id, c);
	w->depth--;
	k = world_klass(w, id);
	k->loading = false;
	k->file = c;
	k->reached = arena_alloc(w->arena, c->nmethod);
	for (u32 m = c->nmethod; m-- > 0;) /* the first of two equal ones stays */
		map_put(w->arena, &w->method_of, map_pair(id, world_member(w, &c->methods[m])),
			m + 1);
	w->stats->classes++;
	w->stats->methods += c->nmethod;
	vec_push(w->arena, &w->pending, (Job){.klass = id, .method = DECLARE});
}

/* ---- lookup ---------------------------------------------------------------- */

static KlassId
add(World *w, StrId name)
{
	KlassId id = w->klasses.n;

	vec_push(w->arena, &w->klasses, (Klass){.name = name, .role = PATH_LIBRARY});
	vec_push(w->arena, &w->klasses.at[id].all, id);
	map_put(w->arena, &w->by_name, name, id);
	return id;
}

KlassId
world_class(World *w, StrId name)
{
	KlassId id = map_get(&w->by_name, name);

	if (!id) {
		id = add(w, name);
		load(w, id);
	}
	return id;
}

KlassId
world_class_named(World *w, const char *name, size_t n)
{
	return world_class(w, intern_dotted(w, name, n));
}

KlassId
world_lambda(World *w, StrId name, StrId iface)
{
	KlassId id = map_get(&w->by_name, name), above;
	VecU32 all = {0};

	if (id)
		return id;
	above = world_class(w, iface);
	id = add(w, name);
	vec_push(w->arena, &all, id);
	add_above(w, &all, above);
	world_klass(w, id)->ifaces = arena_array(w->arena, KlassId, 1);
	world_klass(w, id)->ifaces[0] = above;
	world_klass(w, id)->niface = 1;
	world_klass(w, id)->all = all;
	return id;
}

int
world_method(World *w, KlassId k, StrId name)
{
	return (int)map_get(&w->method_of, map_pair(k, name)) - 1;
}

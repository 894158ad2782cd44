/* load_open.c - see load_open.h: the interface, its types, and objects for them.
 *
 * Types bring classes, their constructors bring types: each is added once, and
 * there are finitely many, so this ends; a bound keeps what the platform's
 * constructors ask for small. */
#include "jvm/load_open.h"

#include "jvm/name.h"

#include <fnmatch.h>
#include <string.h>

enum { CELLS_MOST = 2000, TYPES_LISTED = 12, OUTER_MOST = 16 };
enum { FACE_FAR = 1, FACE_NEAR }; /* how callers see a class of the interface */

#define OBJECT "java.lang.Object"
#define STRING "java.lang.String"
#define EXCEPTION "java.lang.Exception"

/* ---- patterns ---------------------------------------------------------------- */

/* Of a class's name, with dots for dollar signs. */
static bool
matches(const char *pattern, const char *name)
{
	size_t n = strlen(pattern);

	if (strchr(pattern, '*'))
		return !fnmatch(pattern, name, 0);
	return !strncmp(pattern, name, n) && (!name[n] || name[n] == '.');
}

static const char *
undollared(World *w, const char *class)
{
	char *s = arena_strdup(w->arena, class);

	for (char *c = s; *c; c++)
		*c = *c == '$' ? '.' : *c;
	return s;
}

bool
open_matches(World *w, const char *class)
{
	const char *name;

	if (!w->npattern)
		return false;
	name = undollared(w, class);
	for (u32 i = 0; i < w->npattern; i++)
		if (strcmp(w->patterns[i], "*") != 0 && matches(w->patterns[i], name))
			return true;
	return false;
}

/* ---- classes ----------------------------------------------------------------- */

bool
open_is(World *w, KlassId k, KlassId above)
{
	const VecU32 *all = &world_klass(w, k)->all;

	for (u32 i = 0; i < all->n; i++)
		if (all->at[i] == above)
			return true;
	return false;
}

/* Can callers name the class: it and those that it is a member of are public. */
static bool
is_public(World *w, const Klass *k)
{
	for (u32 depth = 0; depth < OUTER_MOST; depth++) {
		JStr outer;
		NameBuf b = {0};
		if (!k->file || !(k->file->flags & ACC_PUBLIC) || k->file->flags & ACC_SYNTHETIC)
			return false;
		outer = k->file->outer;
		if (!outer.n)
			break;
		name_class(w->arena, &b, outer);
		k = world_klass(w, world_class_named(w, b.at, b.n));
		if (!k->file)
			break; /* the class around it is not there */
	}
	return true;
}

static bool
is_concrete(const Klass *k)
{
	return k->file && !(k->file->flags & (ACC_ABSTRACT | ACC_INTERFACE));
}

static bool
is_named(World *w, KlassId k, const char *name)
{
	return !strcmp(world_name(w, k), name);
}

bool
open_is_object(World *w, KlassId k)
{
	return is_named(w, k, OBJECT);
}

static void
add_app(World *w, KlassId k)
{
	for (u32 i = 0; i < w->open->apps.n; i++)
		if (w->open->apps.at[i] == k)
			return;
	vec_push(w->arena, &w->open->apps, k);
}

/* Are callers in the class's own package, where they see all that is not private?  They are
 * if it promises to be made for threads, or --open names it though it is not public. */
static bool
is_near(World *w, KlassId id)
{
	const Klass *k = world_klass(w, id);
	const char *name;

	if (!k->file || k->file->flags & ACC_SYNTHETIC)
		return false;
	if (k->file->notes & NOTE_THREAD_SAFE)
		return k->role <= PATH_BESIDE;
	name = is_public(w, k) ? "" : undollared(w, world_name(w, id));
	for (u32 i = 0; *name && i < w->npattern; i++)
		if (!strcmp(w->patterns[i], name))
			return true;
	return false;
}

static bool
is_near_face(World *w, KlassId k)
{
	return map_get(&w->open->is_face, k) == FACE_NEAR;
}

static void
add_face(World *w, KlassId k)
{
	u32 *seen = map_at(w->arena, &w->open->is_face, k);
	bool near = !*seen && is_near(w, k);

	if (*seen || (!near && !is_public(w, world_klass(w, k))))
		return;
	*seen = near ? FACE_NEAR : FACE_FAR;
	vec_push(w->arena, &w->open->faces, k);
	if (world_klass(w, k)->role != PATH_INPUT)
		add_app(w, k);
}

/* Adds the classes that the pattern matches: of the program and, where the
 * pattern says more than `*`, of those above; or the one that it names.  How
 * many there are. */
static u32
match_faces(World *w, const char *pattern)
{
	Open *o = w->open;
	u32 found = 0, napp = o->apps.n;
	bool above = *pattern != '*';
	KlassId k;

	for (u32 i = 0; i < napp; i++) {
		u32 n = above ? world_klass(w, o->apps.at[i])->all.n : 1;
		for (u32 j = 0; j < n; j++) {
			k = world_klass(w, o->apps.at[i])->all.at[j];
			if (!matches(pattern, undollared(w, world_name(w, k))))
				continue;
			found++;
			add_face(w, k);
		}
	}
	if (!found && !strchr(pattern, '*')) {
		k = entry_class(w, pattern, strlen(pattern));
		if (k && world_klass(w, k)->file) {
			add_face(w, k);
			found = 1;
		}
	}
	return found;
}

static bool
find_faces(World *w, const char *const *patterns, u32 n)
{
	bool ok = true;

	for (u32 i = 0; i < n; i++) {
		u32 before = w->open->faces.n, found = match_faces(w, patterns[i]);
		if (found && w->open->faces.n > before)
			continue;
		if (found && before)
			continue; /* those that another pattern matched */
		diag_error(w->diag, NULL,
			   !w->npattern ? "no class of the inputs has a main, and none is public: "
					  "give --entry CLASS.METHOD"
			   : found      ? "--open %s: none of these classes is public"
					: "--open %s: there is no such class, package or input",
			   patterns[i]);
		ok = false;
	}
	return ok;
}

/* ---- types ------------------------------------------------------------------- */

static u32
add_cell(World *w, StrId type, KlassId klass, StrId element)
{
	Open *o = w->open;
	u32 *at = map_at(w->arena, &o->cell_of, type);

	if (!*at) {
		vec_push(w->arena, &o->cells,
			 (OpenCell){.type = type, .klass = klass, .element = element});
		*at = o->cells.n;
	}
	return *at - 1;
}

static StrId
type_name(World *w, JStr desc)
{
	NameBuf b = {0};

	name_desc(w->arena, &b, desc);
	return intern_bytes(&w->strs, b.at, b.n);
}

u32
open_cell(World *w, JStr desc)
{
	StrId type;
	KlassId k;

	if (!desc.n || (*desc.at != 'L' && *desc.at != '['))
		return NO_CELL;
	type = type_name(w, desc);
	if (*desc.at == '[') {
		u32 of = open_cell(w, (JStr){desc.at + 1, desc.n - 1});
		return add_cell(w, type, 0, of == NO_CELL ? 0 : w->open->cells.at[of].type);
	}
	k = world_class(w, type);
	return add_cell(w, type, k, 0);
}

/* Callers need objects of that type: of an array's elements. */
static void
want(World *w, u32 cell)
{
	while (cell != NO_CELL) {
		OpenCell *c = &w->open->cells.at[cell];
		c->wanted = true;
		cell = c->element ? map_get(&w->open->cell_of, c->element) - 1 : NO_CELL;
	}
}

static void
want_params(World *w, const JMember *m)
{
	u32 at = 0;

	for (;;) {
		JStr p = name_next_param(m->desc, &at);
		if (!p.n)
			return;
		want(w, open_cell(w, p));
	}
}

bool
open_flows(World *w, u32 x, u32 y, bool *test)
{
	const OpenCell *a = &w->open->cells.at[x], *b = &w->open->cells.at[y];

	*test = false;
	if (b->klass && open_is_object(w, b->klass))
		return true;
	if (a->klass && b->klass && open_is(w, a->klass, b->klass))
		return true;
	*test = true;
	if (!a->klass || !b->klass || open_is_object(w, a->klass))
		return false;
	if (open_is(w, b->klass, a->klass))
		return true;
	for (u32 i = 0; i < w->open->apps.n; i++)
		if (open_is(w, w->open->apps.at[i], a->klass) &&
		    open_is(w, w->open->apps.at[i], b->klass))
			return true;
	return false;
}

/* ---- calls ------------------------------------------------------------------- */

StrId
open_method_name(World *w, const JMember *m)
{
	return intern_str(&w->strs, arena_printf(w->arena, "%.*s%.*s", (int)m->name.n, m->name.at,
						 (int)m->desc.n, m->desc.at));
}

static bool
is_callable(const JMember *m, bool near)
{
	bool seen = near ? !(m->flags & ACC_PRIVATE) : m->flags & ACC_PUBLIC;

	return seen && !(m->flags & ACC_SYNTHETIC) && *m->name.at != '<' &&
	       !(m->flags & ACC_STATIC && jstr_is(m->name, "main") &&
		 jstr_is(m->desc, "([Ljava/lang/String;)V"));
}

/* Does a class of the interface above k declare the method too?  Calls on that
 * one run k's. */
static bool
is_covered(World *w, KlassId k, StrId name)
{
	const VecU32 *all = &world_klass(w, k)->all;

	for (u32 i = 1; i < all->n; i++) {
		int m = world_method(w, all->at[i], name);
		if (m >= 0 && map_get(&w->open->is_face, all->at[i]) &&
		    is_callable(&world_klass(w, all->at[i])->file->methods[m],
				is_near_face(w, all->at[i])))
			return true;
	}
	return false;
}

static void
add_calls(World *w, KlassId on, KlassId at)
{
	const ClassFile *c = world_klass(w, at)->file;

	for (u32 i = 0; c && i < c->nmethod; i++) {
		const JMember *m = &c->methods[i];
		StrId name = open_method_name(w, m);
		bool fixed = m->flags & ACC_STATIC;
		u32 *seen;
		if (!is_callable(m, is_near_face(w, on)) || (fixed && at != on) ||
		    (!fixed && is_covered(w, on, name)))
			continue;
		seen = map_at(w->arena, &w->open->is_call, map_pair(on, name));
		if (*seen)
			continue;
		*seen = 1;
		vec_push(w->arena, &w->open->calls, (OpenCall){on, at, i});
	}
}

/* The methods that callers see in a class: its own, and inherited ones that no
 * other class of the interface has; a library's only if they run what callers cannot call. */
static void
find_calls(World *w, KlassId face)
{
	const VecU32 *all = &world_klass(w, face)->all;
	bool own = world_klass(w, face)->role == PATH_INPUT && !open_has_hooks(w, face);

	add_calls(w, face, face);
	for (u32 i = 1; i < all->n; i++) {
		KlassId at = all->at[i];
		if (map_get(&w->open->is_face, at) || open_is_object(w, at) ||
		    (own && world_klass(w, at)->role != PATH_INPUT))
			continue;
		add_calls(w, face, at);
	}
}

static void
want_calls(World *w)
{
	for (u32 i = 0; i < w->open->calls.n; i++) {
		OpenCall c = w->open->calls.at[i];
		const JMember *m = &world_klass(w, c.at)->file->methods[c.method];
		u32 result = open_cell(w, name_return(m->desc));
		if (!(m->flags & ACC_STATIC))
			want(w, add_cell(w, world_klass(w, c.on)->name, c.on, 0));
		want_params(w, m);
		if (result != NO_CELL)
			w->open->cells.at[result].given = true;
	}
}

/* ---- objects ----------------------------------------------------------------- */

static u32
count_params(const JMember *m)
{
	u32 at = 0, n = 0;

	while (name_next_param(m->desc, &at).n)
		n++;
	return n;
}

/* Constructors of k: the public ones or, for hidden, any that is not private;
 * of a library's class only the simplest. */
static Entries
find_inits(World *w, KlassId id, bool hidden)
{
	const Klass *k = world_klass(w, id);
	Entries out = {0};

	for (u32 i = 0; k->file && i < k->file->nmethod; i++) {
		const JMember *m = &k->file->methods[i];
		if (!jstr_is(m->name, "<init>") || m->flags & (ACC_SYNTHETIC | ACC_PRIVATE) ||
		    (!hidden && !(m->flags & ACC_PUBLIC)))
			continue;
		if (out.n && k->role != PATH_INPUT && !map_get(&w->open->is_face, id)) {
			if (count_params(m) < count_params(&k->file->methods[out.at[0].method]))
				out.at[0].method = i;
			continue;
		}
		vec_push(w->arena, &out, (Entry){id, i});
	}
	return out;
}

static bool
make(World *w, KlassId k, bool hidden)
{
	u32 *seen = map_at(w->arena, &w->open->is_made, k);
	Entries inits = {0};

	if (*seen)
		return true;
	if (!is_named(w, k, STRING)) {
		inits = find_inits(w, k, hidden);
		if (!inits.n)
			return false;
	}
	*seen = 1;
	vec_push(w->arena, &w->open->makes, (OpenMake){k, inits});
	(void)add_cell(w, world_klass(w, k)->name, k, 0);
	for (u32 i = 0; i < inits.n; i++)
		want_params(w, &world_klass(w, k)->file->methods[inits.at[i].method]);
	return true;
}

/* Makes objects of all classes of the program that are of that type. */
static bool
make_apps(World *w, KlassId type, bool hidden)
{
	bool any = false;

	for (u32 i = 0; i < w->open->apps.n; i++) {
		KlassId k = w->open->apps.at[i];
		bool near = hidden || is_near_face(w, k);
		if (is_concrete(world_klass(w, k)) && (near || is_public(w, world_klass(w, k))) &&
		    open_is(w, k, type))
			any |= make(w, k, near);
	}
	return any;
}

/* ---- classes of the callers ----------------------------------------------------- */

/* Is there a body for the method in the interfaces of k, or in Object? */
static bool
has_body(World *w, KlassId k, StrId name)
{
	const VecU32 *all = &world_klass(w, k)->all;

	for (u32 i = 0; i < all->n; i++) {
		int m = world_method(w, all->at[i], name);
		if (m >= 0 && !(world_klass(w, all->at[i])->file->methods[m].flags & ACC_ABSTRACT))
			return true;
	}
	return world_method(w, world_class_named(w, OBJECT, strlen(OBJECT)), name) >= 0;
}

/* Adds the methods of an interface that a class has to have. */
static void
add_duties(World *w, OpenStand *stand, KlassId at, Map *seen)
{
	const ClassFile *c = world_klass(w, at)->file;

	for (u32 i = 0; c && i < c->nmethod; i++) {
		const JMember *m = &c->methods[i];
		StrId name = open_method_name(w, m);
		u32 *had = map_at(w->arena, seen, name), result, param = 0;
		JStr p;
		if (*had || !(m->flags & ACC_ABSTRACT) || has_body(w, stand->face, name))
			continue;
		*had = 1;
		vec_push(w->arena, &stand->methods, (Entry){at, i});
		while ((p = name_next_param(m->desc, &param)).n)
			(void)open_cell(w, p);
		result = open_cell(w, name_return(m->desc));
		want(w, result);
	}
}

static bool
is_own_face(World *w, KlassId face)
{
	return world_klass(w, face)->role == PATH_INPUT || map_get(&w->open->is_face, face);
}

/* Makes a class of the callers for an interface. */
static bool
stand_in(World *w, KlassId face)
{
	const Klass *k = world_klass(w, face);
	OpenStand stand = {.face = face};
	Map seen = {0};
	StrId name;

	if (!k->file || !(k->file->flags & ACC_INTERFACE) || !is_public(w, k))
		return false;
	name = intern_str(&w->strs, arena_printf(w->arena, "%s$callers", world_name(w, face)));
	stand.klass = world_lambda(w, name, k->name);
	for (u32 i = 0; i < world_klass(w, face)->all.n; i++)
		add_duties(w, &stand, world_klass(w, face)->all.at[i], &seen);
	vec_push(w->arena, &w->open->stands, stand);
	vec_push(w->arena, &w->open->makes, (OpenMake){.klass = stand.klass});
	(void)add_cell(w, name, stand.klass, 0);
	return true;
}

static void
assume_stands(World *w)
{
	const char *list = "";
	u32 n = w->open->stands.n;

	for (u32 i = 0; i < n && i < TYPES_LISTED; i++)
		list = arena_printf(w->arena, "%s%s%s", list, *list ? ", " : "",
				    world_name(w, w->open->stands.at[i].face));
	if (n)
		world_assume(w,
			     arena_printf(w->arena,
					  "callers have classes of their own that are a %s%s: what "
					  "these return is new, and they do not call the program",
					  list, n > TYPES_LISTED ? " and others" : ""));
}

/* Does some call give objects of that type? */
static bool
is_given(World *w, u32 cell)
{
	bool test;

	for (u32 i = 0; i < w->open->cells.n; i++)
		if (w->open->cells.at[i].given && (i == cell || open_flows(w, i, cell, &test)))
			return true;
	return false;
}

/* Makes objects for an interface that no public class implements.  If it is one of those to check, the
 * program's own classes that do must come to callers in some way: those that no call gives are
 * made as if they were public. */
static bool
make_behind(World *w, u32 cell)
{
	KlassId type = w->open->cells.at[cell].klass;
	bool hidden =
	    map_get(&w->open->is_face, type) && !is_given(w, cell) && make_apps(w, type, true);

	return stand_in(w, type) || hidden;
}

/* Finds objects for a cell.  False: there are none. */
static bool
make_for(World *w, u32 cell)
{
	KlassId type = w->open->cells.at[cell].klass;
	const Klass *k = world_klass(w, type);

	if (is_named(w, type, OBJECT) || is_named(w, type, STRING))
		return make(w, type, false);
	if (make_apps(w, type, false))
		return true;
	if (k->role != PATH_INPUT && is_public(w, k) && is_concrete(k) && make(w, type, false))
		return true;
	return (is_own_face(w, type) && make_behind(w, cell)) || is_given(w, cell) ||
	       stand_in(w, type) || make_apps(w, type, true);
}

/* Callers make objects of the interface's classes also where no method asks for one: what
 * their constructors do to static fields is part of the interface. */
static void
make_faces(World *w)
{
	for (u32 i = 0; i < w->open->faces.n; i++) {
		KlassId k = w->open->faces.at[i];
		if (is_concrete(world_klass(w, k)))
			(void)make(w, k, is_near_face(w, k));
	}
}

static void
make_all(World *w)
{
	const char *list = "";
	u32 lacking = 0;

	make_faces(w);
	for (u32 i = 0; i < w->open->cells.n && i < CELLS_MOST; i++) {
		if (!w->open->cells.at[i].klass || !w->open->cells.at[i].wanted || make_for(w, i))
			continue;
		if (lacking++ < TYPES_LISTED)
			list = arena_printf(w->arena, "%s%s%s", list, *list ? ", " : "",
					    intern_get(&w->strs, w->open->cells.at[i].type));
	}
	if (lacking)
		world_assume(w,
			     arena_printf(w->arena, "callers have no objects of %s%s and pass null",
					  list, lacking > TYPES_LISTED ? " and others" : ""));
	assume_stands(w);
	if (w->open->cells.n > CELLS_MOST)
		world_assume(w, "callers pass arguments of too many types: null for some");
}

/* ---- reaching them ------------------------------------------------------------ */

static void
reach_open(World *w)
{
	Open *o = w->open;

	if (o->stands.n)
		reach_made(w, world_class_named(w, EXCEPTION, strlen(EXCEPTION)));
	for (u32 i = 0; i < o->makes.n; i++) {
		reach_initialiser(w, o->makes.at[i].klass);
		reach_made(w, o->makes.at[i].klass);
		for (u32 j = 0; j < o->makes.at[i].inits.n; j++)
			reach_method(w, o->makes.at[i].klass, o->makes.at[i].inits.at[j].method);
	}
	for (u32 i = 0; i < o->calls.n; i++) {
		const OpenCall *c = &o->calls.at[i];
		const JMember *m = &world_klass(w, c->at)->file->methods[c->method];
		if (m->flags & ACC_STATIC) {
			reach_initialiser(w, c->at);
			reach_method(w, c->at, c->method);
		} else {
			reach_virtual(w, c->on, open_method_name(w, m));
		}
	}
}

static void
assume_open(World *w, const char *const *patterns, u32 n)
{
	const char *list = "";
	bool near = false;

	for (u32 i = 0; i < w->open->faces.n; i++)
		near |= is_near_face(w, w->open->faces.at[i]);
	for (u32 i = 0; i < n; i++)
		list = arena_printf(w->arena, "%s%s%s", list, *list ? ", " : "", patterns[i]);
	world_assume(
	    w, arena_printf(w->arena,
			    "an open program: any number of threads call the %u %smethod%s of "
			    "%u class%s (%s) on shared objects",
			    w->open->calls.n, near ? "visible " : "public ",
			    w->open->calls.n == 1 ? "" : "s", w->open->faces.n,
			    w->open->faces.n == 1 ? "" : "es", list));
}

bool
open_find(World *w, const char *const *patterns, u32 n)
{
	NameList names = {0};

	w->open = arena_new(w->arena, Open);
	path_list(w->path, &names);
	for (u32 i = 0; i < names.n; i++) {
		KlassId k = world_class_named(w, names.at[i], strlen(names.at[i]));
		if (world_klass(w, k)->file)
			vec_push(w->arena, &w->open->apps, k);
	}
	if (!find_faces(w, patterns, n))
		return false;
	for (u32 i = 0; i < w->open->faces.n; i++)
		find_calls(w, w->open->faces.at[i]);
	want_calls(w);
	make_all(w);
	reach_open(w);
	assume_open(w, patterns, n);
	return true;
}

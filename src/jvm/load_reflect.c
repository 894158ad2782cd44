/* load_reflect.c - what reflection may make and call.
 *
 * Three hints: a string of the program that is the name of one of its classes;
 * the lists of service providers; and the log of a run (TamiFlex, Bodden et al.
 * 2011), lines
 *
 *	kind;target;method that did it;line;...
 *
 * where the target is a class, or <class: type name(types)>.  What they name is
 * reached, and main calls it on behalf of unknown code (load_entry.c). */
#include "jvm/load_int.h"

#include "base/file.h"

#include <string.h>

enum { TAG_STRING = 8, NAME_MOST = 512, REFLECTED_MOST = 4096, WARNINGS = 20 };

/* ---- targets --------------------------------------------------------------- */

static void
add_method(World *w, KlassId k, u32 method)
{
	const ClassFile *c = world_klass(w, k)->file;
	bool init = jstr_is(c->methods[method].name, "<init>");

	if (map_get(&w->is_reflected, map_pair(k, method)) || !c->methods[method].code ||
	    w->reflected.n == REFLECTED_MOST || (init && c->flags & (ACC_ABSTRACT | ACC_INTERFACE)))
		return;
	map_put(w->arena, &w->is_reflected, map_pair(k, method), 1);
	vec_push(w->arena, &w->reflected, (Entry){k, method});
	reach_initialiser(w, k);
	if (init)
		reach_made(w, k);
	reach_method(w, k, method);
}

/* The class, made by its constructor without arguments if it has one. */
static void
add_class(World *w, KlassId k)
{
	int init = world_method(w, k, intern_str(&w->strs, "<init>()V"));

	reach_initialiser(w, k);
	if (init >= 0)
		add_method(w, k, (u32)init);
}

/* The class of the program of that name (n bytes, dots); 0 if there is none. */
static KlassId
find_class(World *w, const char *name, size_t n, bool platform)
{
	char slashed[NAME_MOST];
	ClassBytes found;
	KlassId k;

	if (!n || n >= sizeof slashed)
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (name[i] == '/' || name[i] <= ' ')
			return 0;
		slashed[i] = name[i] == '.' ? '/' : name[i];
	}
	slashed[n] = 0;
	if (!path_find(w->path, slashed, &found) || (found.role == PATH_PLATFORM && !platform))
		return 0;
	k = world_class_named(w, slashed, n);
	return world_klass(w, k)->file ? k : 0;
}

/* ---- strings and services --------------------------------------------------- */

void
reflect_strings(World *w, KlassId id)
{
	const ClassFile *c = world_klass(w, id)->file;

	if (!c || world_klass(w, id)->scanned || world_klass(w, id)->role == PATH_PLATFORM)
		return;
	world_klass(w, id)->scanned = true;
	for (u32 i = 1; i < c->nconst; i++) {
		JStr s;
		KlassId k;
		if (c->consts[i].tag != TAG_STRING)
			continue;
		s = class_utf8(c, c->consts[i].a);
		k = s.n ? find_class(w, s.at, s.n, false) : 0;
		if (k)
			add_class(w, k);
	}
}

void
reflect_services(World *w)
{
	NameList names = {0};

	path_services(w->path, &names);
	for (u32 i = 0; i < names.n; i++) {
		KlassId k = find_class(w, names.at[i], strlen(names.at[i]), false);
		if (k)
			add_class(w, k);
		else
			diag_warning(w->diag, NULL,
				     "META-INF/services names class %s, which does not exist",
				     names.at[i]);
	}
}

/* ---- logs ------------------------------------------------------------------ */

/* Appends the descriptor of a type as a programmer writes it, n bytes. */
static char *
describe(Arena *a, const char *so_far, const char *type, size_t n)
{
	static const char names[] =
	    "boolean Z byte B char C short S int I long J float F double D void V ";
	const char *at;
	char *s = arena_strdup(a, so_far);

	for (; n > 2 && type[n - 1] == ']'; n -= 2)
		s = arena_printf(a, "%s[", s);
	at = memmem(names, sizeof names, arena_printf(a, "%.*s ", (int)n, type), n + 1);
	if (at && (at == names || at[-1] == ' ') && n > 1)
		return arena_printf(a, "%s%c", s, at[n + 1]);
	s = arena_printf(a, "%sL%.*s;", s, (int)n, type);
	for (char *c = s + strlen(so_far); *c; c++)
		*c = *c == '.' ? '/' : *c;
	return s;
}

/* The name and descriptor of "type name(types)"; null if it is none. */
static const char *
method_of(Arena *a, const char *s)
{
	const char *blank = strchr(s, ' '), *open = strchr(s, '('), *close = strchr(s, ')');
	char *text;

	if (!blank || !open || !close || open < blank || close < open)
		return NULL;
	text = arena_dup(a, blank + 1, (size_t)(open - blank));
	for (const char *t = open + 1; t < close;) {
		size_t n = strcspn(t, ",)");
		text = describe(a, text, t, n);
		t += n + 1;
	}
	return describe(a, arena_printf(a, "%s)", text), s, (size_t)(blank - s));
}

/* Follows the target of one line; false if there is no such thing. */
static bool
follow(World *w, const char *target)
{
	const char *colon = strstr(target, ": "), *method;
	KlassId k;
	int m;

	if (*target != '<') {
		k = find_class(w, target, strcspn(target, "["), true);
		if (k)
			add_class(w, k);
		return k;
	}
	k = colon ? find_class(w, target + 1, (size_t)(colon - target - 1), true) : 0;
	if (!k)
		return false;
	if (!strchr(colon, '(')) { /* a field */
		reach_initialiser(w, k);
		return true;
	}
	method = method_of(w->arena, colon + 2);
	m = method ? world_method(w, k, intern_str(&w->strs, method)) : -1;
	if (m >= 0)
		add_method(w, k, (u32)m);
	return m >= 0;
}

void
reflect_log(World *w, const char *file)
{
	const char *error = NULL;
	char *text, *next;
	size_t n;
	u32 wrong = 0;

	if (!file_read(w->arena, file, &text, &n, &error)) {
		diag_error(w->diag, NULL, "%s", error);
		return;
	}
	for (u32 line = 1; *text; line++, text = next) {
		char *target, *end;
		next = text + strcspn(text, "\n");
		if (*next)
			*next++ = 0;
		target = strchr(text, ';');
		if (!target || target[1] == 0) {
			wrong += *text && *text != '#';
			if (*text && *text != '#' && wrong <= WARNINGS)
				diag_at(w->diag, DIAG_WARNING, file, line, 0,
					"expected kind;target;method;line");
			continue;
		}
		target++;
		end = target + strcspn(target, ";\r");
		*end = 0;
		if (!follow(w, target) && wrong++ < WARNINGS)
			diag_at(w->diag, DIAG_WARNING, file, line, 0,
				"%s does not exist: the log is of another program", target);
	}
	if (wrong > WARNINGS)
		diag_warning(w->diag, file, "%u more lines name what does not exist",
			     wrong - WARNINGS);
}

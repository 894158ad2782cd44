/* models.c - the set of all models: loading, and finding a call's rule.
 *
 * Exact names are looked up by interned id; patterns are few and tried in
 * turn, the longest fixed part first to win, a later one on a tie. */
#include "base/diag.h"
#include "base/file.h"
#include "model/parse.h"

#include <string.h>

Models *
models_new(Arena *a)
{
	Models *m = arena_new(a, Models);

	m->arena = a;
	intern_init(&m->names, a);
	(void)vec_extend(a, &m->exact, 1);
	(void)vec_extend(a, &m->cells, 1);
	return m;
}

bool
models_parse(Models *m, const char *file, const char *text, size_t n, Diag *diag)
{
	m->hash = hash_u64(m->hash ^ hash_bytes(text, n));
	return parse_models(m, file, text, n, diag);
}

bool
models_load_file(Models *m, const char *path, Diag *diag)
{
	const char *error;
	char *text;
	size_t n;

	if (!file_read(m->arena, path, &text, &n, &error)) {
		diag_error(diag, NULL, "%s", error);
		return false;
	}
	return models_parse(m, path, text, n, diag);
}

bool
models_load_dir(Models *m, const char *dir, Diag *diag)
{
	const char *error;
	char **names;
	u32 n, found = 0;
	bool ok = true;

	if (!file_list(m->arena, dir, &names, &n, &error)) {
		diag_error(diag, NULL, "%s", error);
		return false;
	}
	for (u32 i = 0; i < n; i++) {
		if (strcmp(file_ext(names[i]), "model") != 0)
			continue;
		found++;
		ok &= models_load_file(m, file_join(m->arena, dir, names[i]), diag);
	}
	if (!found) {
		diag_error(diag, dir, "no model files in this directory");
		return false;
	}
	return ok;
}

u64
models_hash(const Models *m)
{
	return m->hash;
}

bool
models_start(const Models *m, u32 k, const char **first, const char **then)
{
	if (k >= m->starts.n)
		return false;
	*first = m->starts.at[k].first;
	*then = m->starts.at[k].then;
	return true;
}

u32
models_count(const Models *m)
{
	u32 n = m->patterns.n;

	for (u32 i = 1; i < m->exact.n; i++)
		n += m->exact.at[i] != NULL;
	return n;
}

static bool
fits(const Rule *r, u32 narg, bool any)
{
	return any || narg == r->nparam || (r->variadic && narg > r->nparam);
}

static bool
matches(const Pattern *p, const char *name, size_t len)
{
	if (len < p->len)
		return false;
	if (p->head && p->tail)
		return memmem(name, len, p->text, p->len) != NULL;
	if (p->head)
		return !memcmp(name + len - p->len, p->text, p->len);
	return !memcmp(name, p->text, p->len) && (p->tail || len == p->len);
}

static const Rule *
by_pattern(const Models *m, const char *name, u32 narg, bool any, bool wrap)
{
	const Pattern *best = NULL;
	size_t len = strlen(name);

	for (u32 i = 0; i < m->patterns.n; i++) {
		const Pattern *p = &m->patterns.at[i];
		if (p->wrap == wrap && (!best || p->len >= best->len) && fits(p->rule, narg, any) &&
		    matches(p, name, len))
			best = p;
	}
	return best ? best->rule : NULL;
}

/* Names that the compiler was told to take as they are start with a byte 1. */
static const char *
bare(const char *name)
{
	return *name == '\1' ? name + 1 : name;
}

static const Rule *
by_name(const Models *m, const char *name, size_t len, u32 narg, bool any)
{
	u32 id = intern_find(&m->names, name, len);

	if (id && id < m->exact.n)
		for (const Rule *r = m->exact.at[id]; r; r = r->next)
			if (fits(r, narg, any))
				return r;
	return NULL;
}

void
models_ignore(Models *m, const char *name)
{
	vec_push(m->arena, &m->ignored, arena_strdup(m->arena, name));
	for (; *name; name++)
		m->hash = m->hash * 31 + (unsigned char)*name;
}

bool
models_ignored(const Models *m, const char *name)
{
	for (u32 i = 0; i < m->ignored.n; i++) {
		size_t n = strlen(m->ignored.at[i]);
		if (!strncmp(name, m->ignored.at[i], n) && (!name[n] || strchr(".$(", name[n])))
			return true;
	}
	return false;
}

const Rule *
models_find(const Models *m, const char *name, u32 narg, bool any)
{
	const char *paren;
	const Rule *r;

	name = bare(name);
	if (models_ignored(m, name))
		return NULL;
	paren = strchr(name, '(');
	r = by_name(m, name, strlen(name), narg, any);
	if (!r && paren)
		r = by_name(m, name, (size_t)(paren - name), narg, any);
	return r ? r : by_pattern(m, name, narg, any, false);
}

const Rule *
models_named(const Models *m, const char *name)
{
	name = bare(name);
	return models_ignored(m, name) ? NULL : by_name(m, name, strlen(name), 0, true);
}

const Rule *
models_wrap(const Models *m, const char *name)
{
	return by_pattern(m, bare(name), 0, true, true);
}

bool
models_covers(const Models *m, const char *name, u32 narg)
{
	return models_find(m, name, narg, false) != NULL;
}

/* "a/B" of "x.m()La/B;"; null if it returns no object of a class. */
static const char *
result_class(const Models *m, const char *name)
{
	const char *s = strchr(name, ')');
	size_t n = s ? strlen(s) : 0;

	return n > 3 && s[1] == 'L' && s[n - 1] == ';' ? arena_dup(m->arena, s + 2, n - 3) : NULL;
}

void
models_calls(const Models *m, const char *name, u32 narg,
	     void (*visit)(void *ctx, const char *what, bool made), void *ctx)
{
	const Rule *r = models_find(m, name, narg, false);
	const char *result = result_class(m, name);

	for (const Effect *e = r ? r->effects : NULL; e; e = e->next) {
		if (e->method)
			visit(ctx, e->method, false);
		if (e->verb == VERB_ALLOCATE && e->text)
			visit(ctx, e->text, true);
		else if (e->verb == VERB_ALLOCATE && !e->a && result)
			visit(ctx, result, true);
	}
}

bool
models_may_fork(const Models *m, const char *name)
{
	const Rule *r = models_find(m, name, 0, true);

	for (const Effect *e = r ? r->effects : NULL; e; e = e->next)
		if (e->verb == VERB_FORK && !e->interrupts)
			return true;
	return false;
}

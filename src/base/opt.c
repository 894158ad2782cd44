/* opt.c - see opt.h. */
#include "opt.h"

#include "file.h"

#include <stdlib.h>
#include <string.h>

typedef struct Line {
	const OptTable *table;
	void *opts;
	Arena *arena;
	char *const *argv;
	u32 argc, at;
	const char *error;
} Line;

/* How many letters must change, come or go, or trade places with the next, to
 * make y of x. */
static u32
distance(const char *x, const char *y)
{
	enum { LONGEST = 63 };
	u32 row[3][LONGEST + 1];
	u32 n = (u32)strlen(x), m = (u32)strlen(y);

	if (n > LONGEST || m > LONGEST)
		return UINT32_MAX;
	for (u32 j = 0; j <= m; j++)
		row[0][j] = j;
	for (u32 i = 1; i <= n; i++) {
		u32 *up2 = row[(i + 1) % 3], *up = row[(i + 2) % 3], *now = row[i % 3];
		now[0] = i;
		for (u32 j = 1; j <= m; j++) {
			now[j] = up[j - 1] + (x[i - 1] != y[j - 1]);
			now[j] = MIN(now[j], up[j] + 1);
			now[j] = MIN(now[j], now[j - 1] + 1);
			if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
				now[j] = MIN(now[j], up2[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

/* Remembers candidate in *best if it is nearer to word than *best was. */
static void
consider(const char *word, const char *candidate, const char **best, u32 *least)
{
	u32 d = distance(word, candidate);

	if (d < *least) {
		*least = d;
		*best = candidate;
	}
}

/* More changes than this do not make a likely slip. */
static u32
slip(const char *word)
{
	return 1 + MAX(1, (u32)strlen(word) / 3);
}

const char *
opt_closest(Arena *a, const char *words, const char *word)
{
	const char *best = NULL;
	u32 least = slip(word);

	for (const char *w = words; *w;) {
		size_t n = strcspn(w, "|");
		consider(word, arena_dup(a, w, n), &best, &least);
		w += n + (w[n] == '|');
	}
	return best;
}

bool
opt_word(const char *words, const char *word, u32 *at)
{
	u32 i = 0;

	for (const char *w = words; *w; i++) {
		size_t n = strcspn(w, "|");
		if (strlen(word) == n && !memcmp(w, word, n)) {
			*at = i;
			return true;
		}
		w += n + (w[n] == '|');
	}
	return false;
}

/* A decimal number with nothing around it. */
static bool
decimal(const char *text, char **end, u64 *x)
{
	*x = 0;
	for (*end = (char *)text; **end >= '0' && **end <= '9'; ++*end) {
		u64 digit = (u64)(**end - '0');
		if (*x > (UINT64_MAX - digit) / 10)
			return false;
		*x = *x * 10 + digit;
	}
	return *end != text;
}

bool
opt_size(const char *text, u64 *size)
{
	static const char units[] = "KMGT";
	char *end;
	u32 shift = 0;

	if (!decimal(text, &end, size))
		return false;
	if (*end) {
		const char *unit = strchr(units, *end & ~32);
		if (!unit || end[1])
			return false;
		shift = 10 * (u32)(unit - units + 1);
	}
	if (*size > UINT64_MAX >> shift)
		return false;
	*size <<= shift;
	return true;
}

static bool
in_command(const OptTable *t, const OptSpec *s)
{
	return !t->command || !s->where || (s->where & t->command);
}

static bool
applies(const OptTable *t, const OptSpec *s)
{
	return s->kind != OPT_GROUP && in_command(t, s);
}

static const OptSpec *
find_name(const OptTable *t, const char *name, size_t n)
{
	for (u32 i = 0; i < t->n; i++)
		if (applies(t, &t->specs[i]) && strlen(t->specs[i].name) == n &&
		    !memcmp(t->specs[i].name, name, n))
			return &t->specs[i];
	return NULL;
}

static const OptSpec *
find_letter(const OptTable *t, char letter)
{
	for (u32 i = 0; i < t->n; i++)
		if (applies(t, &t->specs[i]) && t->specs[i].letter == letter)
			return &t->specs[i];
	return NULL;
}

bool
opt_is_flag(const OptSpec *s)
{
	return s->kind == OPT_BOOL || s->kind == OPT_ON;
}

const char *
opt_prefix(const OptSpec *s)
{
	return s->kind == OPT_ON ? "no-" : "";
}

static bool
unknown(Line *l, const char *name)
{
	const char *best = NULL;
	u32 least = slip(name);

	for (u32 i = 0; i < l->table->n; i++)
		if (applies(l->table, &l->table->specs[i]))
			consider(name, l->table->specs[i].name, &best, &least);
	l->error =
	    best ? arena_printf(l->arena, "unknown option --%s; did you mean --%s?", name, best)
		 : arena_printf(l->arena, "unknown option --%s", name);
	return false;
}

/* A wrong word for an ENUM. */
static bool
wrong_word(Line *l, const OptSpec *s, const char *value)
{
	const char *best = opt_closest(l->arena, s->arg, value);

	if (best)
		l->error = arena_printf(l->arena, "--%s does not take '%s'; did you mean %s?",
					s->name, value, best);
	else
		l->error =
		    arena_printf(l->arena, "--%s takes %s, not '%s'", s->name, s->arg, value);
	return false;
}

static bool
set_value(Line *l, const OptSpec *s, const char *value)
{
	void *field = (char *)l->opts + s->offset;
	char *end;
	u64 x;

	switch (s->kind) {
	case OPT_STR: *(const char **)field = value; return true;
	case OPT_LIST:
	case OPT_SOME: vec_push(l->arena, (OptList *)field, value); return true;
	case OPT_ENUM: return opt_word(s->arg, value, field) || wrong_word(l, s, value);
	case OPT_U32:
		if (decimal(value, &end, &x) && !*end && x <= UINT32_MAX) {
			*(u32 *)field = (u32)x;
			return true;
		}
		break;
	case OPT_SIZE:
		if (opt_size(value, field))
			return true;
		break;
	case OPT_BOOL:
	case OPT_ON:
	case OPT_GROUP: assert(!"takes a value");
	}
	l->error = arena_printf(l->arena, "--%s takes a %s, not '%s'", s->name,
				s->kind == OPT_U32 ? "number" : "size such as 512M", value);
	return false;
}

/* Sets s to value, or to the next argument if value is null. */
static bool
take_value(Line *l, const OptSpec *s, const char *value)
{
	if (!value && s->kind == OPT_SOME) {
		const char *next = l->at < l->argc ? l->argv[l->at] : "-";
		value = *next == '-' || file_exists(next) ? "*" : l->argv[l->at++];
	}
	if (!value) {
		if (l->at == l->argc) {
			l->error =
			    arena_printf(l->arena, "--%s needs a value: %s", s->name, s->arg);
			return false;
		}
		value = l->argv[l->at++];
	}
	return set_value(l, s, value);
}

/* --name, --name=value, --no-name. */
static bool
long_option(Line *l, const char *text)
{
	size_t n = strcspn(text, "=");
	const char *value = text[n] ? text + n + 1 : NULL;
	const OptSpec *s = find_name(l->table, text, n);
	bool on = true;

	if (!s && !strncmp(text, "no-", 3)) {
		s = find_name(l->table, text + 3, n - 3);
		on = false;
		if (s && !opt_is_flag(s))
			s = NULL;
	}
	if (!s)
		return unknown(l, arena_dup(l->arena, text, n));
	if (!opt_is_flag(s))
		return take_value(l, s, value);
	if (value) {
		l->error = arena_printf(l->arena, "--%s takes no value", s->name);
		return false;
	}
	*(bool *)((char *)l->opts + s->offset) = on;
	return true;
}

/* -o value, -ovalue, -ab. */
static bool
short_options(Line *l, const char *text)
{
	for (; *text; text++) {
		const OptSpec *s = find_letter(l->table, *text);
		if (!s) {
			l->error = arena_printf(l->arena, "unknown option -%c", *text);
			return false;
		}
		if (!opt_is_flag(s))
			return take_value(l, s, text[1] ? text + 1 : NULL);
		*(bool *)((char *)l->opts + s->offset) = true;
	}
	return true;
}

bool
opt_parse(const OptTable *t, void *opts, u32 argc, char *const *argv, Arena *a, OptRest *rest,
	  const char **error)
{
	Line l = {t, opts, a, argv, argc, 0, NULL};

	memset(rest, 0, sizeof *rest);
	while (l.at < argc) {
		const char *arg = argv[l.at++];
		bool ok = true;
		if (arg[0] != '-' || !arg[1]) {
			vec_push(a, &rest->args, arg);
		} else if (!strcmp(arg, "--")) {
			rest->dashes = true;
			rest->after = argv + l.at;
			rest->n_after = argc - l.at;
			break;
		} else if (arg[1] == '-') {
			ok = long_option(&l, arg + 2);
		} else {
			ok = short_options(&l, arg + 1);
		}
		if (!ok) {
			*error = l.error;
			return false;
		}
	}
	return true;
}

bool
opt_applies(const OptTable *t, const OptSpec *s)
{
	return in_command(t, s);
}

const OptSpec *
opt_find(const OptTable *t, const char *name)
{
	return find_name(t, name, strlen(name));
}

bool
opt_set(const OptTable *t, void *opts, Arena *a, const char *name, const char *value,
	const char **error)
{
	Line l = {.table = t, .opts = opts, .arena = a};
	const OptSpec *s = opt_find(t, name);
	u32 at;
	bool ok;

	if (!s) {
		ok = unknown(&l, name);
	} else if (!opt_is_flag(s)) {
		ok = set_value(&l, s, value);
	} else {
		ok = opt_word("true|false", value, &at);
		l.error = arena_printf(a, "--%s is true or false, not '%s'", name, value);
		if (ok)
			*(bool *)((char *)opts + s->offset) = at == 0;
	}
	*error = l.error;
	return ok;
}

enum { HELP_AT = 30, HELP_WIDTH = 80 };

/* Prints text from column col on, wrapped into the right-hand column. */
static void
wrap(FILE *to, const char *text, int col)
{
	if (col + 2 > HELP_AT) {
		fputc('\n', to);
		col = 0;
	}
	while (*text) {
		int n = (int)strcspn(text, " ");
		if (col > HELP_AT && col + 1 + n > HELP_WIDTH) {
			fputc('\n', to);
			col = 0;
		}
		if (col < HELP_AT) {
			fprintf(to, "%*s", HELP_AT - col, "");
			col = HELP_AT;
		} else {
			fputc(' ', to);
			col++;
		}
		fprintf(to, "%.*s", n, text);
		col += n;
		text += n + (text[n] == ' ');
	}
	fputc('\n', to);
}

void
opt_help(const OptTable *t, FILE *to)
{
	bool first = true;

	for (u32 i = 0; i < t->n; i++) {
		const OptSpec *s = &t->specs[i];
		int col;
		if (!in_command(t, s))
			continue;
		if (s->kind == OPT_GROUP) {
			fprintf(to, "\n%s:\n", s->name);
			first = false;
			continue;
		}
		fputs(first ? "\n" : "", to);
		first = false;
		if (s->letter)
			col = fprintf(to, "  -%c, --%s", s->letter, s->name);
		else
			col = fprintf(to, "      --%s%s", opt_prefix(s), s->name);
		if (!opt_is_flag(s))
			col += fprintf(to, " %s", s->arg);
		wrap(to, s->help, col);
	}
}

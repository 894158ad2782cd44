/* config.c - concord.toml: a project's settings.
 *
 * The nearest one upwards from the current directory counts.  A key is the
 * name of a long option; before the first heading it is for every command that
 * takes it, below [check] or another command's name for that one.  The command
 * line wins, and adds to lists.  Names of files are relative to the file. */
#include "cli/commands.h"

#include "base/file.h"
#include "base/toml.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

static const char NAME[] = "concord.toml";

typedef struct Config {
	Run *run;
	const OptTable *table;
	Options *opt;
	const char *path, *up; /* the file, and the way from here to its directory */
	bool ok;
} Config;

static void
mistake(Config *c, const TomlEntry *e, const char *what)
{
	diag_at(&c->run->diag, DIAG_ERROR, c->path, e->line, 0, "%s", what);
	c->ok = false;
}

/* Looks for the file upwards from cwd; the way to its directory is "" or
 * "../..".  Null if there is none. */
static const char *
find_file(Arena *a, const char *cwd)
{
	const char *up = "";

	for (const char *dir = cwd;; dir = file_dir(a, dir)) {
		const char *path = file_join(a, dir, NAME);

		if (file_exists(path) && !file_is_dir(path))
			return up;
		if (strrchr(dir, '/') == dir)
			return strcmp(dir, "/") != 0 && file_exists(arena_printf(a, "/%s", NAME))
				   ? arena_printf(a, "%s../", up)
				   : NULL;
		up = arena_printf(a, "%s../", up);
	}
}

/* The n bytes of a name of a file from here on. */
static const char *
from_here(const Config *c, const char *name, size_t n)
{
	const char *up = n && *name != '/' ? c->up : "";

	return arena_printf(&c->run->arena, "%s%.*s", up, (int)n, name);
}

/* Names of files are relative to the directory of the configuration. */
static const char *
string_of(const Config *c, const OptSpec *s, const char *text)
{
	const char *all = "", *kind = s->arg ? s->arg : "";
	bool file = !strcmp(kind, "FILE") || !strcmp(kind, "DIR");

	if (!strcmp(text, "-") || (!strcmp(s->name, "jdk") && !strcmp(text, "none")))
		return text;
	if (file || (!strcmp(kind, "PROGRAM") && strchr(text, '/')))
		return from_here(c, text, strlen(text));
	if (strcmp(kind, "PATHS") != 0)
		return text;
	for (;; text++) {
		size_t n = strcspn(text, ":");

		all = arena_printf(&c->run->arena, "%s%s", all, from_here(c, text, n));
		text += n;
		if (!*text)
			return all;
		all = arena_printf(&c->run->arena, "%s:", all);
	}
}

/* The value as one would write it on the command line; null for an array. */
static const char *
text_of(const Config *c, const OptSpec *s, const TomlVal *v)
{
	Arena *a = &c->run->arena;

	switch (v->kind) {
	case TOML_STR: return string_of(c, s, v->str);
	case TOML_INT: return arena_printf(a, "%lld", (long long)v->integer);
	case TOML_BOOL: return v->truth ? "true" : "false";
	default: return NULL;
	}
}

/* Is the value of a kind that the option can have? */
static bool
fits(const OptSpec *s, const TomlVal *v)
{
	switch (s->kind) {
	case OPT_BOOL:
	case OPT_ON: return v->kind == TOML_BOOL;
	case OPT_U32: return v->kind == TOML_INT;
	case OPT_SIZE: return v->kind == TOML_INT || v->kind == TOML_STR;
	default: return v->kind == TOML_STR;
	}
}

static void
set_one(Config *c, const TomlEntry *e, const OptTable *t, const OptSpec *s, const TomlVal *v)
{
	static const char *const wanted[] = {[OPT_BOOL] = "true or false",
					     [OPT_ON] = "true or false",
					     [OPT_STR] = "a string",
					     [OPT_U32] = "a number",
					     [OPT_SIZE] = "a size such as \"512M\"",
					     [OPT_ENUM] = "a string",
					     [OPT_LIST] = "a string or an array of strings",
					     [OPT_SOME] = "a string or an array of strings"};
	const char *error;

	if (!fits(s, v))
		mistake(c, e,
			arena_printf(&c->run->arena, "%s must be %s", e->key, wanted[s->kind]));
	else if (!opt_set(t, c->opt, &c->run->arena, e->key, text_of(c, s, v), &error))
		mistake(c, e, error);
}

static const Command *
command_of(const char *name)
{
	for (u32 i = 0; i < ncommand; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

/* Not an option of its command: perhaps of another, or one of a like name. */
static void
unknown(Config *c, const TomlEntry *e, const Command *own)
{
	OptTable any = {option_specs, noption_spec, 0};
	OptTable of = {option_specs, noption_spec, own ? own->bit : 0};
	Options spare = *c->opt;
	const char *error;

	if (own && opt_find(&any, e->key))
		error = arena_printf(&c->run->arena, "%s is no option of concord %s", e->key,
				     own->name);
	else
		(void)opt_set(&of, &spare, &c->run->arena, e->key, "", &error);
	mistake(c, e, error);
}

/* Each heading is the name of a command, also where nothing is below it. */
static void
check_heading(Config *c, const TomlTable *t)
{
	Arena *a = &c->run->arena;
	const char *all = "", *near;

	if (command_of(t->name))
		return;
	for (u32 i = 0; i < ncommand; i++)
		all = arena_printf(a, "%s%s%s", all, *all ? "|" : "", commands[i].name);
	near = opt_closest(a, all, t->name);
	diag_at(&c->run->diag, DIAG_ERROR, c->path, t->line, 0,
		"[%s] is no command of concord%s%s%s", t->name, near ? "; did you mean [" : "",
		near ? near : "", near ? "]?" : "");
	c->ok = false;
}

/* An entry of another command is only looked at for mistakes: it goes into
 * options that are thrown away. */
static void
apply(Config *c, const TomlEntry *e)
{
	const Command *own = *e->table ? command_of(e->table) : NULL;
	OptTable all = {option_specs, noption_spec, own ? own->bit : 0};
	const OptSpec *s = opt_find(&all, e->key);
	bool ours = (!own || own->bit == c->table->command) && opt_find(c->table, e->key);
	Options *kept = c->opt, spare = *c->opt;
	if (*e->table && !own)
		return; /* said where it begins */
	if (!s) {
		unknown(c, e, own);
		return;
	}
	if (!ours)
		c->opt = &spare;
	if ((s->kind == OPT_LIST || s->kind == OPT_SOME) && e->val.kind == TOML_ARR)
		for (u32 i = 0; i < e->val.n; i++)
			set_one(c, e, &all, s, &e->val.items[i]);
	else
		set_one(c, e, &all, s, &e->val);
	c->opt = kept;
}

bool
config_read(Run *run, const OptTable *t, Options *opt)
{
	Config c = {.run = run, .table = t, .opt = opt, .ok = true};
	const char *error = NULL;
	char cwd[PATH_MAX], *text;
	Toml toml;
	size_t n;
	u32 line;

	c.up = getcwd(cwd, sizeof cwd) ? find_file(&run->arena, cwd) : NULL;
	if (!c.up)
		return true;
	c.path = arena_printf(&run->arena, "%s%s", c.up, NAME);
	if (!file_read(&run->arena, c.path, &text, &n, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return false;
	}
	if (!toml_parse(&run->arena, text, n, &toml, &line, &error)) {
		diag_at(&run->diag, DIAG_ERROR, c.path, line, 0, "%s", error);
		return false;
	}
	for (u32 i = 0; i < toml.tables.n; i++)
		check_heading(&c, &toml.tables.at[i]);
	for (u32 i = 0; i < toml.entries.n; i++)
		apply(&c, &toml.entries.at[i]);
	return c.ok;
}

/* capture_args.c - what a compiler or linker was told to do.
 *
 * Only what matters to us is read: the mode, the output, the inputs in order
 * with the language or library mode that applies to them.  An option that
 * takes a separate value must be known, lest the value be taken for an input;
 * all others are passed over. */
#include "cli/capture.h"
#include "cli/cli.h"

#include "base/file.h"

#include <string.h>

const char *
link_kind_name(LinkKind k)
{
	static const char *const names[] = {"executable", "shared library", "archive",
					    "kernel module", "object"};

	return names[k];
}

/* ---- response files --------------------------------------------------------- */

enum { RESPONSE_DEPTH = 8 };

static void
expand(Arena *a, const char *word, u32 depth, OptList *out)
{
	const char *error;
	OptList words = {0};
	char *text;
	size_t n;

	if (word[0] != '@' || depth == RESPONSE_DEPTH || !file_exists(word + 1) ||
	    !file_read(a, word + 1, &text, &n, &error)) {
		vec_push(a, out, word);
		return;
	}
	split_words(a, text, &words);
	for (u32 i = 0; i < words.n; i++)
		expand(a, words.at[i], depth + 1, out);
}

void
tool_expand(Arena *a, int argc, char *const *argv, OptList *out)
{
	for (int i = 0; i < argc; i++)
		expand(a, argv[i], 0, out);
}

/* ---- options ----------------------------------------------------------------- */

typedef struct Parse {
	Arena *arena;
	ToolKind tool;
	ToolCommand *out;
	const char *language; /* -x; null: by the name */
	bool compile, none;   /* -c; nothing that we could record */
	bool whole, archives;
} Parse;

static bool
is_one_of(const char *s, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(s, *list))
			return true;
	return false;
}

static bool
takes_value(const char *arg)
{
	static const char *const list[] = {"-I",
					   "-D",
					   "-U",
					   "-include",
					   "-imacros",
					   "-isystem",
					   "-idirafter",
					   "-iquote",
					   "-iprefix",
					   "-iwithprefix",
					   "-isysroot",
					   "-iwithprefixbefore",
					   "-MF",
					   "-MT",
					   "-MQ",
					   "-MJ",
					   "-Xassembler",
					   "-Xpreprocessor",
					   "-Xclang",
					   "-T",
					   "-u",
					   "-z",
					   "-e",
					   "-A",
					   "-B",
					   "-b",
					   "-h",
					   "-y",
					   "-G",
					   "-R",
					   "-m",
					   "-arch",
					   "-target",
					   "--param",
					   "-aux-info",
					   "-dumpbase",
					   "-dumpdir",
					   "-mllvm",
					   "-soname",
					   "-rpath",
					   "-rpath-link",
					   "-dynamic-linker",
					   "--dynamic-linker",
					   "-Map",
					   "-plugin",
					   "--sysroot",
					   "-include-pch",
					   "-ivfsoverlay",
					   "-wrapper",
					   "--version-script",
					   "-init",
					   "-fini",
					   "--entry",
					   "--undefined",
					   NULL};

	return is_one_of(arg, list);
}

/* Modes in which nothing is compiled or linked. */
static bool
makes_nothing(const char *arg)
{
	static const char *const list[] = {
	    "-E",        "-S",           "-M",     "-MM",          "-fsyntax-only",    "-###", "-V",
	    "--version", "-dumpversion", "--help", "-dumpmachine", "-print-multiarch", NULL};

	return is_one_of(arg, list);
}

static bool
has_ending(const char *path, const char *const *list)
{
	return is_one_of(file_ext(path), list);
}

static void
add_input(Parse *p, const char *path, u32 at)
{
	static const char *const c[] = {"c", "i", NULL};
	static const char *const other[] = {"cc", "cpp", "cxx", "c++", "C",   "ii", "s", "S",
					    "sx", "m",   "mm",  "f",   "f90", "go", "d", NULL};
	static const char *const header[] = {"h", "hh", "hpp", NULL};
	ToolInput in = {.path = path, .at = at, .whole = p->whole};

	if (p->language) {
		in.c = !strcmp(p->language, "c") || !strcmp(p->language, "cpp-output");
		in.compiled = true;
	} else if (p->tool != TOOL_LD) {
		in.c = has_ending(path, c) && p->tool != TOOL_CXX;
		in.compiled = has_ending(path, c) || has_ending(path, other);
	}
	if (!strcmp(path, "-") || (!p->language && has_ending(path, header)))
		p->none = true;
	vec_push(p->arena, &p->out->inputs, in);
}

static void
add_library(Parse *p, const char *name, u32 at)
{
	vec_push(p->arena, &p->out->inputs,
		 (ToolInput){.path = name,
			     .at = at,
			     .library = true,
			     .archives = p->archives,
			     .whole = p->whole});
}

/* What reaches the linker, directly or by -Wl and -Xlinker. */
static void
linker_word(Parse *p, const char *s, u32 at)
{
	static const char *const files[] = {"o", "a", NULL};

	if (s[0] == '-' && s[1] == '-')
		s++;
	if (!strcmp(s, "-whole-archive") || !strcmp(s, "-no-whole-archive"))
		p->whole = s[1] == 'w';
	else if (!strcmp(s, "-Bstatic") || !strcmp(s, "-static") || !strcmp(s, "-dn"))
		p->archives = true;
	else if (!strcmp(s, "-Bdynamic") || !strcmp(s, "-dy"))
		p->archives = false;
	else if (!strcmp(s, "-shared") || !strcmp(s, "-Bshareable"))
		p->out->kind = LINK_SHARED;
	else if (!strcmp(s, "-r") || !strcmp(s, "-relocatable"))
		p->out->kind = LINK_OBJECT;
	else if (p->tool != TOOL_LD && s[0] != '-' && has_ending(s, files))
		add_input(p, s, at);
}

static void
linker_words(Parse *p, const char *s, u32 at)
{
	while (*s) {
		size_t n = strcspn(s, ",");
		linker_word(p, arena_dup(p->arena, s, n), at);
		s += n + (s[n] == ',');
	}
}

/* Options whose value stands behind them or in the next word. */
static bool
with_value(Parse *p, char letter, const char *value, u32 at)
{
	switch (letter) {
	case 'o': p->out->output = value; return true;
	case 'x': p->language = strcmp(value, "none") != 0 ? value : NULL; return true;
	case 'L': vec_push(p->arena, &p->out->dirs, value); return true;
	case 'l': add_library(p, value, at); return true;
	default: return false;
	}
}

/* Reads the option at i; returns the position of the next word. */
static u32
option(Parse *p, u32 i)
{
	const OptList *v = &p->out->argv;
	const char *s = v->at[i], *next = i + 1 < v->n ? v->at[i + 1] : "";

	if (!strcmp(s, "-c") && p->tool != TOOL_LD)
		p->compile = true;
	else if (makes_nothing(s) && (p->tool != TOOL_LD || s[1] == '-'))
		p->none = true;
	else if (!strncmp(s, "-Wl,", 4))
		linker_words(p, s + 4, i);
	else if (!strcmp(s, "-Xlinker"))
		return linker_word(p, next, i + 1), i + 2;
	else if (takes_value(s))
		return i + 2;
	else if (p->tool == TOOL_LD && s[1] == 'x')
		return i + 1;
	else if (strchr("oxLl", s[1]) && !s[2])
		return with_value(p, s[1], next, i), i + 2;
	else if (s[1] == 'L' || s[1] == 'l' || s[1] == 'x')
		with_value(p, s[1], s + 2, i);
	else if (s[1] == 'o' && p->tool != TOOL_LD)
		with_value(p, 'o', s + 2, i);
	else
		linker_word(p, s, i);
	return i + 1;
}

void
tool_parse(Arena *a, ToolKind kind, int argc, char *const *argv, ToolCommand *out)
{
	Parse p = {.arena = a, .tool = kind, .out = out};

	*out = (ToolCommand){.kind = LINK_EXECUTABLE};
	tool_expand(a, argc, argv, &out->argv);
	for (u32 i = 1; i < out->argv.n;) {
		const char *s = out->argv.at[i];
		if (s[0] == '-' && s[1])
			i = option(&p, i);
		else
			add_input(&p, s, i++);
	}
	if (p.none || !out->inputs.n)
		out->mode = MODE_OTHER;
	else
		out->mode = p.compile ? MODE_COMPILE : MODE_LINK;
}

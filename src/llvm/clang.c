/* clang.c - the compiler's command line and its messages.
 *
 * The user's flags come first and ours last, because the last one wins.  For
 * an entry of a compilation database the compiler is replaced and everything
 * dropped that names outputs, writes dependencies, links, or changes what the
 * code does for the sake of speed or of a sanitizer. */
#include "llvm/llvm_int.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef Vec(const char *) Argv;

/* What gcc takes and newer clang refuses by default is still worth checking. */
static const char *const lenient[] = {
    "-w",
    "-Wno-error",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-return-type",
    "-Wno-return-mismatch",
    "-Wno-unknown-warning-option",
    "-Qunused-arguments",
};

/* Nothing is optimised.  But only with -O1 does clang write down the bodies of
 * `inline` functions that another unit must define (C99 6.7.4); often none does.
 * Headers are not to see a difference. */
static const char *const wanted[] = {
    "-g",
    "-O1",
    "-U__OPTIMIZE__",
    "-D__NO_INLINE__",
    "-fno-strict-aliasing",
    "-emit-llvm",
    "-c",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-disable-lifetime-markers",
    "-Xclang", /* the order of uses matters to passes only, and costs a tenth of reading */
    "-no-emit-llvm-uselists",
    "-fno-caret-diagnostics",
    "-fno-color-diagnostics",
    "-fno-sanitize=all",
    "-o",
    "-",
};

static void
push_all(Arena *a, Argv *v, const char *const *list, u32 n)
{
	for (u32 i = 0; i < n; i++)
		vec_push(a, v, list[i]);
}

static bool
starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

static bool
is_one_of(const char *s, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(s, *list))
			return true;
	return false;
}

static bool
ends(const char *s, const char *with)
{
	size_t n = strlen(s), k = strlen(with);

	return n >= k && !strcmp(s + n - k, with);
}

/* Number of arguments that a dropped option at argv[0] takes up, 0: keep it. */
static u32
dropped(const char *arg)
{
	static const char *const alone[] = {
	    "-c",  "-S",   "-E",         "-M",          "-MM",        "-MD",   "-MMD",
	    "-MP", "-MG",  "-MV",        "-pg",         "-w",         "-s",    "-flto",
	    "-v",  "-###", "-emit-llvm", "-save-temps", "--coverage", "-pipe", NULL};
	static const char *const with_next[] = {
	    "-o", "-MF", "-MT", "-MQ", "-MJ", "-fdebug-compilation-dir", NULL};
	static const char *const prefix[] = {
	    "-O", "-g", "-W", "-o", "-MF", "-MT", "-MQ", "-flto=", "-fsanitize", "-fprofile",
	    "-fcoverage", "-save-temps=", "-fdiagnostics", "-fplugin", "-pedantic",
	    /* paths are to be those of the files */
	    "-ffile-prefix-map", "-fdebug-prefix-map", "-fmacro-prefix-map",
	    "-fdebug-compilation-dir=", "-ffile-compilation-dir", NULL};

	if (starts(arg, "-Wp,-D") || starts(arg, "-Wp,-U") || starts(arg, "-Wp,-I"))
		return 0;
	if (is_one_of(arg, with_next))
		return 2;
	if (is_one_of(arg, alone))
		return 1;
	for (const char *const *p = prefix; *p; p++)
		if (starts(arg, *p))
			return 1;
	return 0;
}

/* A command may compile several sources, and link. */
static bool
is_other_input(const char *arg, const char *path)
{
	return arg[0] != '-' && strcmp(arg, path) &&
	       (ends(arg, ".c") || ends(arg, ".o") || ends(arg, ".a") || ends(arg, ".so"));
}

/* Compilers may be wrapped in others: the command begins at the first option
 * or the source. */
static u32
skip_compiler(const LlvmInput *in)
{
	u32 i = 1;

	while (i < in->argc && in->argv[i][0] != '-' && in->argv[i][0] != '@' &&
	       strcmp(in->argv[i], in->path) && !ends(in->argv[i], ".c"))
		i++;
	return i;
}

static void
push_command(Arena *a, Argv *v, const LlvmInput *in)
{
	bool source = false;

	for (u32 i = skip_compiler(in); i < in->argc;) {
		u32 n = is_other_input(in->argv[i], in->path) ? 1 : dropped(in->argv[i]);
		if (!n) {
			source |= !strcmp(in->argv[i], in->path);
			vec_push(a, v, in->argv[i]);
			n = 1;
		}
		i += n;
	}
	if (!source)
		vec_push(a, v, in->path);
}

const char **
clang_command(Arena *a, const LlvmInput *in, const LlvmOptions *o)
{
	Argv v = {0};

	vec_push(a, &v, o->clang ? o->clang : "clang-19");
	if (in->argv) {
		push_command(a, &v, in);
		if (in->directory) /* it is not ours */
			vec_push(a, &v, "-fdiagnostics-absolute-paths");
		push_all(a, &v, o->flags, o->nflags);
	} else {
		push_all(a, &v, o->flags, o->nflags);
		if (ends(in->path, ".i"))
			push_all(a, &v, (const char *[]){"-x", "cpp-output"}, 2);
		/* a name that begins with a dash is no option */
		vec_push(a, &v, in->path[0] == '-' ? arena_printf(a, "./%s", in->path) : in->path);
	}
	push_all(a, &v, lenient, COUNT(lenient));
	push_all(a, &v, wanted, COUNT(wanted));
	vec_push(a, &v, NULL);
	return v.at;
}

/* What gcc's preprocessor leaves in its output and clang does not know: types, the names of the function
 * that frees, and generic atomics on what is declared as atomic.  As macros, so that the text is
 * preprocessed once more, where no other macro is defined. */
#define PLAIN(name, more)                                                                          \
	"-D__atomic_" name "(p" more ")=__atomic_" name "((__typeof__((void)0,*(p))*)(p)" more ")"
static const char *const for_gcc[] = {
    "-undef",
    "-D_Float32=float",
    "-D_Float32x=double",
    "-D_Float64=double",
    "-D_Float64x=long double",
    "-D_Float128=long double",
    "-D__malloc__(...)=__malloc__",
    PLAIN("load_n", ",o"),
    PLAIN("load", ",r,o"),
    PLAIN("store_n", ",v,o"),
    PLAIN("store", ",v,o"),
    PLAIN("exchange_n", ",v,o"),
    PLAIN("exchange", ",v,r,o"),
    PLAIN("compare_exchange_n", ",e,v,w,o,f"),
    PLAIN("compare_exchange", ",e,v,w,o,f"),
    PLAIN("fetch_add", ",v,o"),
    PLAIN("fetch_sub", ",v,o"),
    PLAIN("fetch_and", ",v,o"),
    PLAIN("fetch_or", ",v,o"),
    PLAIN("fetch_xor", ",v,o"),
    PLAIN("fetch_nand", ",v,o"),
    PLAIN("add_fetch", ",v,o"),
    PLAIN("sub_fetch", ",v,o"),
    PLAIN("and_fetch", ",v,o"),
    PLAIN("or_fetch", ",v,o"),
    PLAIN("xor_fetch", ",v,o"),
    PLAIN("nand_fetch", ",v,o"),
};
#undef PLAIN

const char **
clang_for_gcc(Arena *a, const LlvmInput *in, const char **argv)
{
	Argv v = {0};
	u32 n = 0;

	for (; argv[n]; n++)
		if (!in->argv && n && !strcmp(argv[n - 1], "-x") && !strcmp(argv[n], "cpp-output"))
			break;
	if (!argv[n])
		return NULL;
	push_all(a, &v, argv, n);
	vec_push(a, &v, "c");
	push_all(a, &v, for_gcc, COUNT(for_gcc));
	for (n++; argv[n]; n++)
		vec_push(a, &v, argv[n]);
	vec_push(a, &v, NULL);
	return v.at;
}

/* ---- messages ----------------------------------------------------------- */

static u32
drop_argument(const char **argv, const char *name, size_t n)
{
	u32 to = 0, gone = 0;

	for (u32 i = 0; argv[i]; i++) {
		if (i && strlen(argv[i]) == n && !memcmp(argv[i], name, n))
			gone++;
		else
			argv[to++] = argv[i];
	}
	argv[to] = NULL;
	return gone;
}

u32
clang_drop_unknown(const char **argv, const char *messages)
{
	static const char *const says[] = {"unknown argument: '", "unknown argument '",
					   "unsupported option '", "unsupported argument '"};
	u32 gone = 0;

	for (u32 k = 0; k < COUNT(says); k++) {
		const char *at = messages;
		while ((at = strstr(at, says[k]))) {
			const char *end;
			at += strlen(says[k]);
			end = strchr(at, '\'');
			if (!end)
				break;
			gone += drop_argument(argv, at, (size_t)(end - at));
			at = end;
		}
	}
	return gone;
}

bool
clang_report_line(char *line, Diag *diag)
{
	char *at = strstr(line, ": error: "), *text, *p;
	u32 num[2] = {0, 0};
	int k = 2;

	if (!at && !(at = strstr(line, ": fatal error: ")))
		return false;
	text = strstr(at + 2, ": ") + 2;
	*at = '\0';
	while (k > 0 && (p = strrchr(line, ':')) && isdigit((unsigned char)p[1])) {
		num[--k] = (u32)strtoul(p + 1, NULL, 10);
		*p = '\0';
	}
	if (k == 1) /* only a line */
		num[0] = num[1], num[1] = 0;
	diag_at(diag, DIAG_ERROR, line, num[0], num[1], "%s", text);
	return true;
}

void
clang_report(Arena *a, const char *messages, const char *path, Diag *diag)
{
	char *copy = arena_strdup(a, messages), *save = NULL;
	bool any = false;

	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		any |= clang_report_line(line, diag);
	if (any)
		diag_error(diag, path, "does not compile");
	else
		diag_error(diag, path, "clang failed: %s", *messages ? messages : "no message");
}

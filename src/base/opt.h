/* opt.h - command lines read by a table.
 *
 * The caller has one X-macro table of its options, from which it makes the
 * struct, its defaults and an array of OptSpec; this module reads the command
 * line into the struct and prints the help.
 *
 *	#define OPTIONS(X) \
 *		X(ENUM, u32, level, 1, 0, "level", "possible|likely|definite", "...") \
 *		X(STR, const char *, output, NULL, 'o', "output", "FILE", "...")
 *	#define FIELD(kind, type, field, ...) type field;
 *	typedef struct Options { OPTIONS(FIELD) } Options;
 *	#define SPEC(kind, type, field, value, letter, name, arg, help) \
 *		{OPT_##kind, letter, name, arg, help, offsetof(Options, field), 0},
 *	static const OptSpec specs[] = {OPTIONS(SPEC)};
 */
#ifndef BASE_OPT_H
#define BASE_OPT_H

#include "vec.h"

#include <stdio.h>

typedef enum OptKind {
	OPT_GROUP, /* no option: name is a heading in the help */
	OPT_BOOL,  /* bool: --x and --no-x */
	OPT_ON,    /* bool, on if not given: the help has --no-x and says what that does */
	OPT_STR,   /* const char * */
	OPT_U32,   /* u32, decimal */
	OPT_SIZE,  /* u64, with K, M, G or T for powers of 1024 */
	OPT_ENUM,  /* u32: the position of the word in arg, which is "a|b|c" */
	OPT_LIST,  /* OptList: may be given again */
	OPT_SOME /* OptList, whose value may be left out: then it is "*".  The next argument is its
		    * value unless it is an option or a file that exists */
} OptKind;

typedef Vec(const char *) OptList;

typedef struct OptSpec {
	OptKind kind;
	char letter;      /* for -o; 0: none */
	const char *name; /* for --output */
	const char *arg;  /* what the help calls the value; the words of an ENUM */
	const char *help;
	size_t offset; /* of the field */
	u32 where;     /* commands that take it, as bits; 0: all of them */
} OptSpec;

typedef struct OptTable {
	const OptSpec *specs;
	u32 n;
	u32 command; /* the bit of the command in use; 0: all options apply */
} OptTable;

/* What is left of a command line. */
typedef struct OptRest {
	OptList args;       /* those that are no options */
	char *const *after; /* those behind "--" */
	u32 n_after;
	bool dashes; /* there was a "--" */
} OptRest;

/* Reads argv[0] to argv[argc - 1] into opts, which holds the defaults.  Takes
 * --name=value, --name value, -o value, -ovalue, -ab for two flags.  False at
 * the first mistake, with *error saying what it is.  Strings stay argv's. */
bool opt_parse(const OptTable *t, void *opts, u32 argc, char *const *argv, Arena *a, OptRest *rest,
	       const char **error);
/* The option of that name that the table's command takes; null if none. */
const OptSpec *opt_find(const OptTable *t, const char *name);
/* Sets an option as --name=value does; a BOOL takes "true" and "false". */
bool opt_set(const OptTable *t, void *opts, Arena *a, const char *name, const char *value,
	     const char **error);
/* Does the table's command take it, or have the heading? */
bool opt_applies(const OptTable *t, const OptSpec *s);
/* Does it take no value? */
bool opt_is_flag(const OptSpec *s);
/* What the help writes between the dashes and its name: "no-" or nothing. */
const char *opt_prefix(const OptSpec *s);
/* Prints one entry per option, the help wrapped at 80 columns. */
void opt_help(const OptTable *t, FILE *to);
/* Reads "64M" and the like. */
bool opt_size(const char *text, u64 *size);
/* The position in words, "a|b|c", of the first n bytes of word; false if it is
 * not there. */
bool opt_word(const char *words, const char *word, u32 *at);
/* The one of words, "a|b|c", that is most like a mistyped word, in a's memory;
 * null if none is near. */
const char *opt_closest(Arena *a, const char *words, const char *word);

#endif

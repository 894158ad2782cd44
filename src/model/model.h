/* model.h - what library functions do, as effects in the IR's vocabulary.
 *
 * Model files (share/models) say it in a small line-oriented language:
 *
 *	# a comment
 *	global locale_state 8 "the locale"      an object of the library; `thread` for one per thread
 *	mutex_lock(m): acquire write m on zero if checked
 *	spawn(h, f, x)                          effects may also follow, indented
 *		fork f(x) handle h on zero
 *	isalpha, isdigit(c): nothing            several functions with the same effects
 *	nondet_*(...): return any               a `*` before or behind: a pattern
 *	override begin(): acquire write big     holds even where the program defines begin
 *	wrap atomic_*: hold write big           for functions with a body
 *	plain lang.Error                        of a Java class: plain.c; `value`, `safe` likewise
 *
 * A rule holds for a call with its number of arguments (at least that many if
 * it ends in `...`); an exact name beats a pattern, a longer pattern a shorter
 * one, and a later file an earlier one.  A Java method is named class.method,
 * or with its descriptor, in quotes, "class.method(I)V"; that beats the former.  share/models/README.md lists the
 * verbs; parse_verb.c has their grammar, one function each.
 *
 * model_apply then rewrites a linked program once, before any analysis. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "ir/ir.h"

struct Diag;

typedef struct Models Models;

/* An empty set of models in a's memory. */
Models *models_new(Arena *a);
/* Adds the rules of text, which came from file.  False after diagnostics; the
 * rules that are right are added all the same. */
bool models_parse(Models *m, const char *file, const char *text, size_t n, struct Diag *diag);
/* The same for a file, and for each *.model file of a directory by name. */
bool models_load_file(Models *m, const char *path, struct Diag *diag);
bool models_load_dir(Models *m, const char *dir, struct Diag *diag);
/* From now on there are no rules for name, nor for methods and classes within it. */
void models_ignore(Models *m, const char *name);
/* A hash of all that was parsed, in order: part of the key of a summary. */
u64 models_hash(const Models *m);
/* The number of function names and patterns that have rules. */
u32 models_count(const Models *m);
/* Says whether a rule tells what that Java method (class.method(descriptor))
 * does when called with narg arguments, so that its body is not needed. */
bool models_covers(const Models *m, const char *name, u32 narg);
/* Calls visit for each method (class.method(descriptor)) that such a rule calls
 * back or runs in a thread, and with made for each class that it makes an
 * object of. */
void models_calls(const Models *m, const char *name, u32 narg,
		  void (*visit)(void *ctx, const char *what, bool made), void *ctx);
/* The functions with which the k-th kind of program that has no main begins and, if the first
 * returned zero, ends (null: none); false if there are no more kinds. */
bool models_start(const Models *m, u32 k, const char **first, const char **then);
/* Says whether a call of that library function may start a thread. */
bool models_may_fork(const Models *m, const char *name);

/* Makes out (empty) the program in with each call of a modelled function
 * without a body replaced in place by its effects (INS_MODEL), a synthetic
 * body for each such function that may be called through a pointer, the wrap
 * rules applied, and each remaining call of a function without a body turned
 * into OP_EXTERN, with an assumption for that function. */
void model_apply(Ir *out, const Ir *in, const Models *m, struct Diag *diag);

#endif

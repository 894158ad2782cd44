/* load.h - a Java program from its entries: classes are loaded, and methods
 * lowered, as the call graph reaches them.
 *
 * What is reached is found by rapid type analysis (Bacon and Sweeney 1996): a
 * virtual call runs its method in each class below the named one of which an
 * instance is made somewhere.  A method that has a model is not lowered; what
 * the model calls back counts as called. */
#ifndef JVM_LOAD_H
#define JVM_LOAD_H

#include "ir/ir.h"
#include "jvm/path.h"
#include "model/model.h"

struct Diag;

typedef struct LoadOptions {
	const char *const *entries; /* pkg.Class.method; none: the program's main */
	u32 nentry;
	const char *const *open; /* classes or packages whose methods anyone may call */
	u32 nopen;
	const char *reflection_log; /* in TamiFlex's format; may be null */
	const Models *models;       /* may be null: nothing is modelled */
	u32 jobs;
} LoadOptions;

typedef struct LoadStats {
	u32 classes;  /* loaded */
	u32 methods;  /* that those declare; load_java only */
	u32 bodies;   /* methods lowered */
	u32 modelled; /* methods reached whose body was not needed */
	u32 skipped;  /* methods that could not be lowered */
	u32 missing;  /* classes that are nowhere on the class path */
} LoadStats;

/* Loads the program of p's inputs, in units to be linked, with a function
 * `main` that runs it; then jvm_resolve is to be called on the linked program.
 * What could not be found or read is an assumption of the units.  False after
 * a diagnostic if it has no entry.  Memory is a's; the same for any number of
 * jobs. */
bool load_java(Arena *a, ClassPath *p, const LoadOptions *opt, struct Diag *diag, Ir ***units,
	       u32 *n, LoadStats *stats);
/* Lowers all methods of the named classes (a/b/C), and nothing else. */
void load_classes(Arena *a, ClassPath *p, const NameList *names, struct Diag *diag, u32 jobs,
		  Ir ***units, u32 *n, LoadStats *stats);

#endif

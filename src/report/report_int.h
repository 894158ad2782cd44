/* report_int.h - a race result as the writers look at it. */
#ifndef REPORT_REPORT_INT_H
#define REPORT_REPORT_INT_H

#include "race/source.h"
#include "report/report.h"

typedef struct Step { /* of a call path */
	const char *function;
	SrcId src;           /* where it calls the next, or accesses */
	const char *through; /* the external function by which it calls the next; null: none */
	bool method;         /* of a class */
} Step;

/* One side of a pair, looked up. */
typedef struct Side {
	const Access *access;
	ThreadId thread; /* that the path is of */
	const Ins *ins;
	const char *function;
	const char *brief; /* without the package of its class */
	const char *kind;  /* "read", "write" or "free" */
	bool atomic, is_volatile;
	const Src *src;
	Step *path; /* from the thread's start; the last is the access itself, or the call */
	u32 npath;
	const char *called; /* the library's function in which the access is; null: none */
	Step *inner;        /* from there to the access */
	u32 ninner;
	const HeldLock *locks;
	u32 nlock;
} Side;

Side side_of(const ReportInput *in, u32 access);
/* The same without locks and path, which take long to find. */
Side side_brief(const ReportInput *in, u32 access);
const char *view_function(const Ir *ir, const Fn *f);
const Src *view_src(const Ir *ir, SrcId s);
/* Is the side in a method of a class? */
bool view_in_class(const ReportInput *in, const Side *s);
/* "file:line:col", as much of it as is known; "" for nothing. */
const char *view_position(const ReportInput *in, SrcId s);
/* The name of a file from the root of the repository on, if it lies there. */
const char *view_from_root(const ReportInput *in, const char *path);
/* "main thread", of an open program "callers' first thread", or "thread T2 'worker'". */
const char *view_thread(const ReportInput *in, ThreadId t);
/* Does the thread stand for the unknown callers of an open program? */
bool view_is_caller(const ReportInput *in, ThreadId t);
/* Where the program starts t: the fork, or where it is in a library or the body of a model the
 * nearest call that leads there; by: the function that does. */
InsId view_fork(const ReportInput *in, ThreadId t, InstId *by);
/* The function that a thread starts with. */
const char *view_start(const ReportInput *in, ThreadId t);
/* ", called at x.c:9 in f" for each call of a wrapper by which the thread is created. */
const char *view_called(const ReportInput *in, ThreadId t);
/* "global", "thread-local", "stack", "heap", "class" or "unknown". */
const char *view_kind(const ReportInput *in, ObjId o);
const char *view_mode(LockMode m);
/* What people have said of a race; never null. */
const Mark *view_mark(const ReportInput *in, const Race *r);
/* At the level, or following from one that is: in every machine's format. */
bool view_listed(const ReportInput *in, const Race *r);
/* At the level, not suppressed, not in the baseline: what a person is told. */
bool view_shown(const ReportInput *in, const Race *r);
/* The near miss as a sentence without its stop; null if there is none. */
const char *view_near(const ReportInput *in, const Race *r);
/* How many races at the level are so. */
typedef struct Tally {
	u32 suppressed, unchanged, real, benign, wrong, open;
} Tally;
Tally view_tally(const ReportInput *in);
/* What was read and found. */
typedef struct Totals {
	u32 files, functions, reached, instructions, threads, accesses;
} Totals;
Totals view_totals(const ReportInput *in);

/* group.c: races by the view's field or object; brief prints one. */
struct Json;
void group_text(const ReportInput *in, FILE *to, void (*brief)(void *ctx, const Race *r),
		void *ctx);
void group_json(const ReportInput *in, struct Json *j);
/* The graph of all call paths of the access's thread to it. */
void group_graph(const ReportInput *in, struct Json *j, const Access *x);

/* All assumptions, those of the IR once each, in order. */
typedef struct Assumption {
	const char *text;
	const char *function; /* null: nowhere in particular */
	SrcId src;
} Assumption;
u32 view_assumptions(const ReportInput *in, Assumption **out);
/* assume.c: the same in words, those that are alike as one. */
void assume_text(const ReportInput *in, FILE *to);

#endif

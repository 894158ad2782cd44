/* lower_all.c - lowers every method of modules and jars, and checks the result.
 *
 *	lower_all [-j N] [--link] MODULE|FILE...
 *
 * MODULE is one of the installed JDK, `java.base` for example; a FILE is a jar,
 * a directory or a class.  Each worker has a unit of its own.  Every unit
 * passes ir_check; with --link the units are joined, resolved and checked
 * again.  Prints what could not be read or lowered, and the counts; the exit
 * code is 1 if there was any. */
#include "base/diag.h"
#include "ir/ir.h"
#include "jvm/jvm.h"
#include "jvm/path.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { WORKERS = 16 };

typedef struct Work {
	const ClassBytes *classes;
	u32 first, n;
	Arena arena;
	Ir ir;
	u32 bad, methods;
	const char *broken; /* what ir_check says */
	pthread_t thread;
} Work;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Processor time of all threads. */
static double
cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
lower_one(Work *w, JvmUnit *u, const ClassBytes *b)
{
	ClassFile *c = arena_new(&w->arena, ClassFile);
	const char *why;

	if (!class_parse(c, &w->arena, b->at, b->n, &why)) {
		fprintf(stderr, "%s: %s\n", b->from, why);
		w->bad++;
		return;
	}
	if (!jvm_declare(u, c, &why)) {
		fprintf(stderr, "%s: %s\n", b->from, why);
		w->bad++;
		return;
	}
	for (u32 k = 0; k < c->nmethod; k++) {
		w->methods += c->methods[k].code != NULL;
		if (!jvm_lower_method(u, c, k, &why)) {
			fprintf(stderr, "%s: %s\n", b->from, why);
			w->bad++;
		}
	}
}

static void *
work(void *arg)
{
	Work *w = arg;
	JvmUnit *u;

	arena_init(&w->arena, NULL);
	ir_init(&w->ir, &w->arena);
	w->ir.unit = intern_str(&w->ir.strs, "lower_all");
	u = jvm_unit_new(&w->ir);
	for (u32 k = 0; k < w->n; k++)
		lower_one(w, u, &w->classes[w->first + k]);
	jvm_unit_finish(u);
	return NULL;
}

static void *
check(void *arg)
{
	Work *w = arg;

	w->broken = ir_check(&w->ir);
	return NULL;
}

static void
on_all(Work *w, u32 n, void *(*run)(void *))
{
	for (u32 k = 0; k < n; k++)
		pthread_create(&w[k].thread, NULL, run, &w[k]);
	for (u32 k = 0; k < n; k++)
		pthread_join(w[k].thread, NULL);
}

static u32
link_all(Work *w, u32 n, Diag *diag)
{
	Arena a;
	Ir out, *units[WORKERS];
	const char *broken;
	double t = now();

	arena_init(&a, NULL);
	ir_init(&out, &a);
	for (u32 k = 0; k < n; k++)
		units[k] = &w[k].ir;
	ir_link(&out, units, n, diag);
	printf("linked in %.2f s\n", now() - t);
	t = now();
	jvm_resolve(&out);
	printf("resolved in %.2f s\n", now() - t);
	broken = ir_check(&out);
	if (broken)
		fprintf(stderr, "linked: %s\n", broken);
	arena_release(&a);
	return broken != NULL;
}

static u32
report(Work *w, u32 n, double seconds, double used)
{
	u32 bad = 0, methods = 0, ins = 0, classes = 0;
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	for (u32 k = 0; k < n; k++) {
		bad += w[k].bad;
		methods += w[k].methods;
		ins += w[k].ir.ins.n - 1;
		classes += w[k].n;
		if (w[k].broken) {
			fprintf(stderr, "unit %u: %s\n", k, w[k].broken);
			bad++;
		}
	}
	printf("%u classes, %u bodies, %u instructions in %.2f s (cpu %.2f s), %ld MiB; %u not "
	       "lowered\n",
	       classes, methods, ins, seconds, used, r.ru_maxrss / 1024, bad);
	return bad;
}

/* The bytes of all classes that the arguments name. */
static u32
find_all(ClassPath *p, Arena *a, char **argv, ClassBytes **out)
{
	NameList names = {0};
	Vec(ClassBytes) all = {0};

	for (; *argv; argv++)
		if (strchr(*argv, '/') || !path_list_module(p, *argv, &names))
			path_add(p, *argv, PATH_INPUT);
	path_list(p, &names);
	for (u32 k = 0; k < names.n; k++) {
		ClassBytes b;
		if (path_find(p, names.at[k], &b)) {
			b.from = names.at[k];
			vec_push(a, &all, b);
		} else {
			fprintf(stderr, "%s: not found\n", names.at[k]);
		}
	}
	*out = all.at;
	return all.n;
}

int
main(int argc, char **argv)
{
	Arena a;
	Diag diag;
	ClassPath *p;
	ClassBytes *classes;
	Work w[WORKERS] = {0};
	u32 n, workers = 1, bad;
	bool link = false;
	double start, used;

	(void)argc;
	arena_init(&a, NULL);
	diag_init(&diag, &a, stderr);
	p = path_new(&a, &diag);
	path_add_platform(p, NULL);
	for (argv++; *argv && **argv == '-'; argv++)
		if (!strcmp(*argv, "--link"))
			link = true;
		else if (!strcmp(*argv, "-j") && argv[1])
			workers = (u32)strtoul(*++argv, NULL, 10);
	workers = MAX(1u, MIN(workers, (u32)WORKERS));
	start = now();
	n = find_all(p, &a, argv, &classes);
	for (u32 k = 0; k < workers; k++) {
		w[k].classes = classes;
		w[k].first = (u32)((u64)n * k / workers);
		w[k].n = (u32)((u64)n * (k + 1) / workers) - w[k].first;
	}
	on_all(w, workers, work);
	start = now() - start;
	used = cpu();
	on_all(w, workers, check);
	bad = report(w, workers, start, used);
	if (link)
		bad += link_all(w, workers, &diag);
	for (u32 k = 0; k < workers; k++)
		arena_release(&w[k].arena);
	path_release(p);
	diag_release(&diag);
	arena_release(&a);
	return bad || !n || diag.errors;
}

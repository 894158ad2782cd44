/* load.c - see load.h.  The work goes in waves: what is pending is lowered in
 * parallel, each class in its lane; then, one after the other, what the lowered
 * methods refer to is followed, which gives the next wave. */
#include "jvm/load_int.h"

#include "base/file.h"

#include <string.h>

/* ---- a lane's work --------------------------------------------------------- */

static void
run_job(Lane *lane, Job *j)
{
	const ClassFile *c = world_klass(lane->world, j->klass)->file;
	const JvmRef *refs;
	const char *why = NULL;
	u32 n = 0;
	bool ok = j->method == DECLARE ? jvm_declare(lane->unit, c, &why)
				       : jvm_lower_method(lane->unit, c, j->method, &why);

	j->why = ok ? NULL : why;
	j->ref = lane->refs.n;
	refs = ok && j->method != DECLARE ? jvm_refs(lane->unit, &n) : NULL;
	for (u32 i = 0; i < n; i++)
		vec_push(lane->arena, &lane->refs, refs[i]);
	j->nref = n;
}

static void
run_lane(void *ctx, u32 i, u32 worker)
{
	Lane *lane = &((World *)ctx)->lanes[i];

	(void)worker;
	for (u32 k = 0; k < lane->jobs.n; k++)
		run_job(lane, lane->jobs.at[k]);
}

static void
finish_lane(void *ctx, u32 i, u32 worker)
{
	(void)worker;
	jvm_unit_finish(((World *)ctx)->lanes[i].unit);
}

/* ---- waves ----------------------------------------------------------------- */

static Lane *
lane_of(World *w, KlassId k)
{
	return &w->lanes[k % LANES];
}

/* Says of a method, or class, that it could not be lowered. */
static void
report_job(World *w, const Job *j)
{
	const Klass *k = world_klass(w, j->klass);
	const char *class = intern_get(&w->strs, k->name), *what = class;
	const JMember *m;

	if (j->method != DECLARE) {
		m = &k->file->methods[j->method];
		what = arena_printf(w->arena, "%s.%.*s", class, (int)m->name.n, m->name.at);
	}
	w->stats->skipped++;
	diag_at(w->diag, k->role == PATH_INPUT ? DIAG_ERROR : DIAG_WARNING, NULL, 0, 0,
		"%s is skipped: %s", what, j->why);
	world_assume(w, arena_printf(w->arena, "%s was skipped: %s", what, j->why));
}

/* Follows what came of a job. */
static void
follow(World *w, const Job *j)
{
	Lane *lane = lane_of(w, j->klass);

	if (j->why)
		report_job(w, j);
	else if (j->method != DECLARE)
		w->stats->bodies++;
	reflect_strings(w, j->klass);
	reach_refs(w, lane, lane->refs.at + j->ref, j->nref);
}

static void
run_waves(World *w)
{
	Vec(Job) wave = {0};

	while (w->pending.n && !arena_exceeded(w->arena)) {
		wave.n = 0;
		memcpy(vec_extend(w->arena, &wave, w->pending.n), w->pending.at,
		       w->pending.n * sizeof *w->pending.at);
		w->pending.n = 0;
		for (u32 i = 0; i < LANES; i++)
			w->lanes[i].jobs.n = w->lanes[i].refs.n = 0;
		for (u32 i = 0; i < wave.n; i++) {
			Lane *lane = lane_of(w, wave.at[i].klass);
			vec_push(lane->arena, &lane->jobs, &wave.at[i]);
		}
		pool_run(w->pool, LANES, run_lane, w);
		for (u32 i = 0; i < wave.n; i++)
			follow(w, &wave.at[i]);
	}
}

/* ---- the world ------------------------------------------------------------- */

static Ir *
new_unit(Arena *a, const char *name)
{
	Ir *ir = arena_new(a, Ir);

	ir_init(ir, a);
	ir->ptr_bytes = 8;
	ir->unit = intern_str(&ir->strs, name);
	return ir;
}

static void
world_init(World *w, Arena *a, ClassPath *p, Diag *diag, u32 jobs, LoadStats *stats)
{
	*w = (World){.arena = a, .path = p, .diag = diag, .stats = stats};
	*stats = (LoadStats){0};
	intern_init(&w->strs, a);
	(void)vec_extend(a, &w->klasses, 1);
	w->pool = pool_new(a, jobs);
	w->extra = new_unit(a, "java");
	for (u32 i = 0; i < LANES; i++) {
		Lane *lane = &w->lanes[i];
		lane->arena = arena_new(a, Arena);
		arena_init(lane->arena, a->budget);
		lane->ir = new_unit(lane->arena, arena_printf(a, "classes %u", i));
		lane->unit = jvm_unit_new(lane->ir);
		lane->world = w;
	}
}

/* The lane's memory becomes the world's. */
static Ir *
finish_unit(World *w, Lane *lane)
{
	arena_adopt(w->arena, lane->arena);
	lane->ir->arena = lane->ir->strs.arena = w->arena;
	return lane->ir;
}

static void
world_finish(World *w, Ir ***units, u32 *n)
{
	const NameList *skipped = path_skipped(w->path);

	pool_release(w->pool);
	for (u32 i = 0; i < skipped->n; i++)
		world_assume(w, skipped->at[i]);
	*units = arena_array(w->arena, Ir *, LANES + 1);
	(*units)[0] = w->extra;
	for (u32 i = 0; i < LANES; i++)
		(*units)[i + 1] = finish_unit(w, &w->lanes[i]);
	*n = LANES + 1;
}

static void
report_missing(const World *w)
{
	u32 n = w->stats->missing;

	if (n == 1)
		diag_warning(w->diag, NULL, "class %s was not found: what it does is unknown",
			     w->missing);
	else if (n)
		diag_warning(w->diag, NULL,
			     "%u classes were not found, %s for one: what they do is unknown", n,
			     w->missing);
}

bool
load_java(Arena *a, ClassPath *p, const LoadOptions *opt, Diag *diag, Ir ***units, u32 *n,
	  LoadStats *stats)
{
	World *w = arena_new(a, World);
	bool ok;

	world_init(w, a, p, diag, opt->jobs, stats);
	w->models = opt->models;
	w->patterns = opt->open;
	w->npattern = opt->nopen;
	ok = entry_find(w, opt);
	if (ok) {
		reflect_services(w);
		if (opt->reflection_log)
			reflect_log(w, opt->reflection_log);
		run_waves(w);
		report_missing(w);
		entry_build(w);
	}
	pool_run(w->pool, LANES, finish_lane, w);
	world_finish(w, units, n);
	return ok;
}

/* ---- all of some classes ---------------------------------------------------- */

/* A class of a list, on its way through a lane. */
typedef struct Whole {
	const char *name;
	ClassBytes bytes;
	const char *why; /* out: it could not be read */
	u32 bodies, skipped;
} Whole;

typedef struct Wholes {
	World *world;
	Whole *at;
	u32 n;
} Wholes;

static void
lower_whole(Lane *lane, Whole *x)
{
	ClassFile *c = arena_new(lane->arena, ClassFile);

	if (!class_parse(c, lane->arena, x->bytes.at, x->bytes.n, &x->why))
		return;
	x->why = jstr_is(c->name, x->name) ? NULL
					   : arena_printf(lane->arena, "the file holds class %.*s",
							  (int)c->name.n, c->name.at);
	if (x->why)
		return;
	x->skipped = jvm_lower_class(lane->unit, c);
	for (u32 i = 0; i < c->nmethod; i++)
		x->bodies += c->methods[i].code != NULL;
	x->bodies -= x->skipped;
}

static void
run_wholes(void *ctx, u32 i, u32 worker)
{
	Wholes *all = ctx;

	(void)worker;
	for (u32 k = i; k < all->n; k += LANES)
		if (!all->at[k].why)
			lower_whole(&all->world->lanes[i], &all->at[k]);
	jvm_unit_finish(all->world->lanes[i].unit);
}

void
load_classes(Arena *a, ClassPath *p, const NameList *names, Diag *diag, u32 jobs, Ir ***units,
	     u32 *n, LoadStats *stats)
{
	World *w = arena_new(a, World);
	Wholes all = {w, arena_array(a, Whole, names->n), 0};

	world_init(w, a, p, diag, jobs, stats);
	for (u32 i = 0; i < names->n; i++)
		if (path_find(p, names->at[i], &all.at[all.n].bytes))
			all.at[all.n++].name = names->at[i];
	pool_run(w->pool, LANES, run_wholes, &all);
	for (u32 i = 0; i < all.n; i++) {
		const Whole *x = &all.at[i];
		if (x->why)
			path_skip(p, x->name, x->bytes.from, x->bytes.role, x->why);
		stats->classes += !x->why;
		stats->bodies += x->bodies;
		stats->skipped += x->skipped;
	}
	world_finish(w, units, n);
}

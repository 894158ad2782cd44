/* groups.c - units that no stage can tell apart become one group.
 *
 * See race_int.h for the words.  Ids are given in the order of
 * conc->accesses, which is sorted. */
#include "race/race_int.h"

#include <stdlib.h>

/* Is the address computed from a thread-local variable's own name? */
static bool
is_own(const Races *r, const Access *a)
{
	const Fn *f = pta_fn(r->pta, a->inst);
	Val v = a->addr;

	while (val_is_reg(v)) {
		InsId def = fn_reg(r->ir, f, v)->def;
		const Ins *i = ir_ins(r->ir, def);

		if (!def || (i->op != OP_COPY && i->op != OP_FIELD && i->op != OP_INDEX))
			return false;
		v = ins_arg(r->ir, i, 0);
	}
	return val_is_const(v) && ir_const(r->ir, v)->kind == CONST_GLOBAL &&
	       r->ir->globals.at[ir_const(r->ir, v)->ref].tls;
}

/* But for CTX_OWN. */
static u32
ctx_flags(const Races *r, const Access *a)
{
	const Ins *i = ir_ins(r->ir, a->ins);
	u32 f = a->flags & (ACC_WRITE | ACC_ATOMIC | ACC_FRESH | ACC_FROZEN);

	if (r->opt->volatile_atomic && (a->flags & ACC_VOLATILE))
		f |= ACC_ATOMIC;
	if (!(f & ACC_WRITE) || i->op == OP_RMW || i->op == OP_CAS)
		f |= CTX_READS;
	if (a->flags & ACC_ATOMIC) {
		f |= order_releases(i->order) ? CTX_RELEASE : 0;
		f |= ins_acquires(i, true) && ins_acquires(i, false) ? CTX_ACQUIRE : 0;
	}
	return f;
}

/* Do they touch the same, in two states?  Such ones follow each other. */
static bool
is_alike(const Access *a, const Access *b)
{
	return a->ins == b->ins && a->inst == b->inst && a->addr == b->addr && a->size == b->size;
}

/* Gives each access its shape and ctx. */
static void
sort_accesses(Races *r)
{
	struct ShapeBuilder *b = shapes_begin(r);
	u32 n = r->conc->accesses.n, own = 0;

	r->shape_of = arena_array(r->arena, u32, n + 1);
	r->ctx_of = arena_array(r->arena, u32, n + 1);
	r->far = arena_array(r->arena, u8, n + 1);
	r->writes = arena_array(r->arena, VecU32, r->pta->insts.n + 1);
	for (u32 i = 0; i < n; i++) {
		const Access *a = access_at(r, i);
		bool alike = i && is_alike(a - 1, a);
		u32 shape = r->shape_of[i] = alike ? r->shape_of[i - 1] : shape_of(b, a);
		u32 ctx;

		own = alike ? own : is_own(r, a) ? CTX_OWN : 0;
		ctx = r->ctx_of[i] = context_of(r->contexts, a, r->units.at[r->unit_of[i]].kind,
						ctx_flags(r, a) | own);
		if (set_add(r->arena, &r->shapes.at[shape].ctxs, ctx))
			map_put(r->arena, &r->first_of, map_pair(shape, ctx), i + 1);
		if (a->flags & ACC_WRITE)
			vec_push(r->arena, &r->writes[a->inst], i);
	}
	shapes_end(r);
}

typedef struct Grouper {
	Races *r;
	Intern bundles; /* (shape, set of ctxs); the id is the index in r->bundles */
	SetPool groups; /* sets of bundles; the id is the index in r->groups */
	Vec(u64) keys;  /* (shape, ctx) of one unit's accesses */
} Grouper;

static u32
bundle_of(Grouper *g, u32 shape, const Set *ctxs)
{
	Races *r = g->r;
	u32 key[2] = {shape, contexts_set(r->contexts, ctxs)};
	u32 id = intern_bytes(&g->bundles, key, sizeof key);

	if (id == r->bundles.n) {
		vec_push(r->arena, &r->bundles, (Bundle){.shape = key[0], .ctxs = key[1]});
		vec_push(r->arena, &r->shapes.at[shape].bundles, id);
	}
	return id;
}

static int
compare_keys(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* The bundles of a unit: its ctxs for each shape.  A helper that everybody calls has thousands of both. */
static void
find_bundles(Grouper *g, const Unit *u, Set *out)
{
	Races *r = g->r;
	Set ctxs = {0};

	g->keys.n = 0;
	for (u32 i = u->access; i < u->access + u->naccess; i++)
		vec_push(r->arena, &g->keys, map_pair(r->shape_of[i], r->ctx_of[i]));
	if (g->keys.n)
		qsort(g->keys.at, g->keys.n, sizeof *g->keys.at, compare_keys);
	for (u32 i = 0; i < g->keys.n;) {
		u32 shape = (u32)(g->keys.at[i] >> 32);

		set_clear(&ctxs);
		for (; i < g->keys.n && g->keys.at[i] >> 32 == shape; i++)
			set_add(r->arena, &ctxs, (u32)g->keys.at[i]);
		set_add(r->arena, out, bundle_of(g, shape, &ctxs));
	}
	set_recycle(r->arena, &ctxs);
}

static void
add_to_group(Grouper *g, u32 unit, const Set *bundles)
{
	Races *r = g->r;
	u32 id = setpool_intern(&g->groups, bundles);

	if (id == r->groups.n) {
		vec_push(r->arena, &r->groups, (Group){.doubt = UINT32_MAX});
		SET_FOR (it, bundles) {
			u32 doubt = shape_doubt(r, r->bundles.at[it.x].shape);

			vec_push(r->arena, &r->groups.at[id].bundles, it.x);
			vec_push(r->arena, &r->bundles.at[it.x].groups, id);
			r->groups.at[id].doubt = MIN(r->groups.at[id].doubt, doubt);
		}
	}
	vec_push(r->arena, &r->groups.at[id].units, unit);
	r->units.at[unit].group = id;
}

void
groups_build(Races *r)
{
	Grouper g = {.r = r};
	Set bundles = {0};

	r->contexts = contexts_new(r);
	sort_accesses(r);
	intern_init(&g.bundles, &r->stages);
	setpool_init(&g.groups, &r->stages);
	vec_push(r->arena, &r->bundles, (Bundle){0});
	vec_push(r->arena, &r->groups, (Group){0});
	for (u32 u = 1; u < r->units.n; u++)
		if (r->units.at[u].reached) {
			set_clear(&bundles);
			find_bundles(&g, &r->units.at[u], &bundles);
			add_to_group(&g, u, &bundles);
		}
	set_recycle(r->arena, &bundles);
}

u32
access_first(const Races *r, InsId ins)
{
	u32 lo = 0, hi = r->conc->accesses.n;

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;

		if (access_at(r, mid)->ins < ins)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

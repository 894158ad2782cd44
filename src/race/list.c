/* list.c - every pair of accesses in its contexts, with the stage that it comes
 * to: the sets of Naik et al. 2006, Sections 2.2.1 to 2.2.4.  Quadratic, and so
 * only for small programs. */
#include "race/race_int.h"

enum { ACCESSES_MOST = 3000 };

typedef struct Furthest {
	Races *r;
	SetId x, y;
	Stage stage;
} Furthest;

static bool
meet_at(void *ctx, ObjId o, const Overlap *at)
{
	Furthest *f = ctx;

	for (u32 k = 0; k < 2; k++)
		if (at->x[k]) {
			Stage s =
			    contexts_stage(f->r->contexts, f->x, f->y, variant_at(f->r, o, k == 0));
			f->stage = MAX(f->stage, s);
		}
	return true;
}

static SetId
set_of(Races *r, u32 ctx)
{
	Set s = {0};

	set_add(r->arena, &s, ctx);
	return contexts_set(r->contexts, &s);
}

static void
list_two(Races *r, Map *index, u32 a, u32 b)
{
	const Access *x = access_at(r, a), *y = access_at(r, b);
	const Unit *u = &r->units.at[r->unit_of[a]], *v = &r->units.at[r->unit_of[b]];
	Furthest f = {r, set_of(r, r->ctx_of[a]), set_of(r, r->ctx_of[b]), STAGE_REACHABLE};
	u32 *at;

	if (u->kind != v->kind || !flags_conflict(u->flags, v->flags))
		return;
	if (!u->reached || !v->reached)
		f.stage = STAGE_ORIGINAL;
	else
		shapes_overlap(r, r->shape_of[a], r->shape_of[b], meet_at, &f);
	at = map_at(r->arena, index,
		    hash_u64(map_pair(x->ins, x->inst)) + hash_u64(map_pair(y->ins, y->inst)));
	if (!*at) {
		vec_push(r->arena, &r->result->listed, (Listed){STAGE_ORIGINAL, a, b});
		*at = r->result->listed.n;
	}
	r->result->listed.at[*at - 1].stage = MAX(r->result->listed.at[*at - 1].stage, f.stage);
}

void
list_build(Races *r)
{
	Map index = {0};
	u32 n = r->conc->accesses.n;

	if (!r->opt->list || n > ACCESSES_MOST)
		return;
	r->result->has_list = true;
	for (u32 a = 0; a < n; a++)
		for (u32 b = a; b < n; b++)
			list_two(r, &index, a, b);
}

/* stages.c - the stages of Chord's Figure 11, on groups of units.
 *
 * One group at a time: for each of its bundles, the bundles of all shapes that
 * meet its shape, each at the furthest stage that some pair of their ctxs
 * reaches.  The furthest over all bundles and variants decides for all pairs
 * of the two groups' units, so the counts are of distinct pairs, and nothing
 * is kept but who races with whom.  Every question here is symmetric, so two groups
 * meet once, at the one of the lower number. */
#include "race/race_int.h"

#include <string.h>

/* For the groups of b from g on; they are in order. */
static void
raise(u8 *row, const Bundle *b, u32 g, Stage stage)
{
	row[b->last] = MAX(row[b->last], (u8)stage);
	for (u32 i = b->groups.n - 1; i-- && b->groups.at[i] >= g;)
		row[b->groups.at[i]] = MAX(row[b->groups.at[i]], (u8)stage);
}

static void
visit_bundle(Races *r, u8 *row, const Bundle *b, u32 g)
{
	const Set *near = shape_neighbours(r, b->shape);

	for (Variant v = 0; v < VARIANT_COUNT; v++)
		SET_FOR (it, &near[v]) {
			const VecU32 *others = &r->shapes.at[it.x].bundles;

			for (u32 i = 0; i < others->n; i++) {
				const Bundle *c = &r->bundles.at[others->at[i]];
				Stage s;

				if (c->last < g)
					continue;
				s = contexts_stage(r->contexts, b->ctxs, c->ctxs, v);
				if (s)
					raise(row, c, g, s);
			}
		}
}

/* Counts each unordered pair once: g is not above h. */
static void
tally(Races *r, u32 g, u32 h, Stage level)
{
	u64 m = r->groups.at[g].units.n, n = r->groups.at[h].units.n;
	u64 pairs = g == h ? n * (n + 1) / 2 : m * n;

	if (level == STAGE_UNGUARDED) {
		set_add(r->arena, &r->groups.at[g].racing, h);
		set_add(r->arena, &r->groups.at[h].racing, g);
	}
	for (u32 s = STAGE_ALIASING; s <= (u32)level; s++)
		r->result->count[s] += pairs;
}

void
stages_run(Races *r)
{
	u8 *row = arena_array(r->arena, u8, r->groups.n); /* [group]: its Stage, 0 none */
	u64 *n = r->result->count;

	n[STAGE_ORIGINAL] = units_pairs(r, false);
	n[STAGE_REACHABLE] = units_pairs(r, !r->opt->without[STAGE_REACHABLE]);
	for (u32 g = 1; g < r->groups.n; g++) {
		const VecU32 *bundles = &r->groups.at[g].bundles;

		for (u32 i = 0; i < bundles->n; i++)
			visit_bundle(r, row, &r->bundles.at[bundles->at[i]], g);
		for (u32 h = g; h < r->groups.n; h++)
			if (row[h])
				tally(r, g, h, (Stage)row[h]);
		memset(row, 0, r->groups.n);
	}
}

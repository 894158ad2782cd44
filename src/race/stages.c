/* stages.c - the stages of Chord's Figure 11, on groups of units.
 *
 * One group at a time: for each of its bundles, the bundles of all shapes that
 * meet its shape, each at the furthest stage that some pair of their ctxs
 * reaches.  The furthest over all bundles and variants decides for all pairs
 * of the two groups' units, so the counts are of distinct pairs, and nothing
 * is kept but who races with whom.  Every question here is symmetric: two groups
 * meet once, at the one of the lower number, which writes what comes of it into the sets of both.
 *
 * In a large program bundles meet tens of millions of times, so what is looked at
 * each time lies close together: a table of (group, ctxs), sorted by shape, and
 * rows for the group at hand.  Groups that are done are taken out of the table now and then. */
#include "race/race_int.h"

#include <string.h>

/* A bundle of a group, among those of its shape. */
typedef struct Part {
	u32 group;
	SetId ctxs;
} Part;

enum {
	UNMET = STAGE_ORIGINAL + 1, /* in a row */
	CLEANINGS = 16              /* of the parts */
};

/* Which of 64 groups race with another. */
typedef struct Column {
	u64 bits;
	u32 group;
} Column;

typedef struct HandedUp {
	Column *at; /* by group */
	u32 n, taken;
} HandedUp;

typedef struct Stages {
	Races *r;
	Part *parts;
	u32 *
	    first; /* [shape]: of its parts; those of the next shape follow, and 64 more have none */
	u32 *nunit;  /* [group] */
	u8 *row;     /* [group]: the furthest stage with the present one, plus 1 */
	u32 *met;    /* the groups of which row says something */
	u64 *racing; /* bits of groups: those that have come through all stages */
	u64 *
	    column; /* [group]: of the present 64 groups, those that race with it, as far as they are done */
	u32 nmet;
	HandedUp *up; /* [group / 64] */
} Stages;

/* There are n parts: 64 shapes behind the last one have none. */
static void
finish_parts(Stages *s, u32 n)
{
	for (u32 i = 0; i <= 64; i++)
		s->first[s->r->shapes.n + i] = n;
}

static void
sort_parts(Stages *s)
{
	Races *r = s->r;
	u32 n = 0;

	for (u32 b = 1; b < r->bundles.n; b++)
		n += r->bundles.at[b].groups.n;
	s->parts = arena_array(&r->stages, Part, n + 1);
	s->first = arena_array(&r->stages, u32, r->shapes.n + 65);
	n = 0;
	for (u32 i = 0; i < r->shapes.n; i++) {
		const VecU32 *bundles = &r->shapes.at[i].bundles;

		s->first[i] = n;
		for (u32 k = 0; k < bundles->n; k++) {
			const Bundle *b = &r->bundles.at[bundles->at[k]];
			for (u32 g = 0; g < b->groups.n; g++)
				s->parts[n++] = (Part){b->groups.at[g], b->ctxs};
		}
	}
	finish_parts(s, n);
}

/* Leaves out the parts of groups below g. */
static void
clean_parts(Stages *s, u32 g)
{
	u32 n = 0, from = 0;

	for (u32 i = 0; i < s->r->shapes.n; i++) {
		u32 to = s->first[i + 1];

		s->first[i] = n;
		for (u32 k = from; k < to; k++)
			if (s->parts[k].group >= g)
				s->parts[n++] = s->parts[k];
		from = to;
	}
	finish_parts(s, n);
}

/* Meets a bundle with the parts from `from` up to `to`. */
static void
visit_parts(Stages *s, SetId ctxs, const u32 *known, u32 from, u32 to, Variant v)
{
	for (u32 i = from; i < to; i++) {
		const Part *p = &s->parts[i];
		u32 k = known ? known_stage(known[p->ctxs], v) : 0;

		if (!k)
			k = 1 + contexts_stage(s->r->contexts, ctxs, p->ctxs, v);
		if (s->row[p->group] >= k)
			continue;
		if (s->row[p->group] == UNMET)
			s->met[s->nmet++] = p->group;
		s->row[p->group] = (u8)k;
	}
}

/* The parts of shapes whose numbers follow each other lie side by side. */
static void
visit_bundle(Stages *s, const Bundle *b)
{
	const Set *near = shape_neighbours(s->r, b->shape);
	const u32 *known = contexts_known(s->r->contexts, b->ctxs);

	for (Variant v = 0; v < VARIANT_COUNT; v++)
		for (u32 i = 0; i < near[v].n; i++) {
			const SetWord *w = &near[v].w[i];
			const u32 *first = &s->first[w->index * 64];

			for (u64 left = first[0] == first[64] ? 0 : w->bits; left;) {
				u32 from = (u32)__builtin_ctzll(left);
				u64 gaps = ~left & -(left & -left);
				u32 to = gaps ? (u32)__builtin_ctzll(gaps) : 64;

				visit_parts(s, b->ctxs, known, first[from], first[to], v);
				left = to < 64 ? left >> to << to : 0;
			}
		}
}

/* Who races with g: of those below it, what was handed up. */
static void
take_racing(Stages *s, u32 g)
{
	Races *r = s->r;

	for (u32 k = 0; k < g / 64; k++) {
		HandedUp *up = &s->up[k];
		if (up->taken < up->n && up->at[up->taken].group == g)
			s->racing[k] = up->at[up->taken++].bits;
	}
	s->racing[g / 64] |= s->column[g];
	s->column[g] = 0;
	set_from_row(r->arena, &r->groups.at[g].racing, s->racing, r->groups.n / 64 + 1);
}

/* Hands up which of 64 groups, the last of which is g, race with those above them. */
static void
hand_up(Stages *s, u32 g)
{
	u32 end = s->r->groups.n, n = 0;
	HandedUp *up = &s->up[g / 64];

	for (u32 h = g + 1; h < end; h++)
		n += s->column[h] != 0;
	up->at = arena_array(&s->r->stages, Column, n);
	for (u32 h = g + 1; h < end; h++)
		if (s->column[h])
			up->at[up->n++] = (Column){s->column[h], h};
	memset(s->column + g + 1, 0, (end - g - 1) * sizeof *s->column);
}

/* Counts the pairs of g with those that are not below it. */
static void
tally(Stages *s, u32 g)
{
	u64 n = s->nunit[g], twice = n * (n - 1) / 2, units[STAGE_COUNT] = {0}, so_far = 0;
	u32 own = s->row[g] - 1u;

	for (u32 i = 0; i < s->nmet; i++) {
		u32 h = s->met[i], stage = s->row[h] - 1u;

		s->row[h] = UNMET;
		if (h < g)
			continue;
		units[stage] += s->nunit[h];
		if (stage == STAGE_UNGUARDED) {
			s->racing[h / 64] |= (u64)1 << h % 64;
			s->column[h] |= (u64)1 << g % 64;
		}
	}
	for (u32 k = STAGE_COUNT - 1; k >= STAGE_ALIASING; k--) {
		so_far += units[k];
		/* its own pairs are unordered, and each of its units is one with itself */
		s->r->result->count[k] += so_far * n - (own >= k ? twice : 0);
	}
	s->nmet = 0;
}

static void
begin(Stages *s)
{
	Races *r = s->r;

	sort_parts(s);
	s->row = arena_array(&r->stages, u8, r->groups.n);
	memset(s->row, UNMET, r->groups.n);
	s->met = arena_array(&r->stages, u32, r->groups.n);
	s->racing = arena_array(&r->stages, u64, r->groups.n / 64 + 1);
	s->column = arena_array(&r->stages, u64, r->groups.n);
	s->up = arena_array(&r->stages, HandedUp, r->groups.n / 64 + 1);
	s->nunit = arena_array(&r->stages, u32, r->groups.n);
	for (u32 g = 1; g < r->groups.n; g++)
		s->nunit[g] = r->groups.at[g].units.n;
}

void
stages_run(Races *r)
{
	Stages s = {.r = r};

	r->result->count[STAGE_ORIGINAL] = units_pairs(r, false);
	r->result->count[STAGE_REACHABLE] = units_pairs(r, !r->opt->without[STAGE_REACHABLE]);
	begin(&s);
	for (u32 g = 1; g < r->groups.n; g++) {
		const VecU32 *bundles = &r->groups.at[g].bundles;

		if (g % (r->groups.n / CLEANINGS + 1) == 0)
			clean_parts(&s, g);
		for (u32 i = 0; i < bundles->n; i++)
			visit_bundle(&s, &r->bundles.at[bundles->at[i]]);
		tally(&s, g);
		take_racing(&s, g);
		if (g % 64 == 63)
			hand_up(&s, g);
	}
#ifdef CONCORD_HARD
	for (u32 g = 1; g < r->groups.n; g++)
		SET_FOR (it, &r->groups.at[g].racing)
			assert(set_has(&r->groups.at[it.x].racing, g));
#endif
}

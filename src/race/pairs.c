/* pairs.c - from meetings of classes to pairs of instructions with a rung.
 *
 * Only pairs that no stage excluded come here.  A pair of units may meet in
 * many contexts; the few that look surest are asked for reasons, and the pair
 * gets the best rung among them.  Where two classes make very many pairs, each
 * of their accesses is listed with one partner: what the others would say is
 * the same, and their number is quadratic.  `definite` is asked for a bounded number of
 * pairs of one place, because one such pair decides for the place. */
#include "race/race_int.h"

enum {
	ALL_PAIRS = 4096,  /* of two classes; beyond that each access once */
	TRIED = 4,         /* contexts of a pair that are asked for reasons */
	DEFINITE_TRIED = 8 /* pairs of one slot that are asked to be definite */
};

typedef struct Draft {
	u32 unit_x, unit_y;
	u32 n;
	u32 meeting[TRIED];
	u32 access_x[TRIED], access_y[TRIED];
} Draft;

typedef struct Drafts {
	Races *r;
	Map index; /* units -> position plus 1 */
	Vec(Draft) at;
	Map definite_asked; /* SlotId + 1 -> how often, plus 1 */
	struct Definite *definite;
} Drafts;

static void
draft(Drafts *d, u32 meeting, u32 ax, u32 ay)
{
	Races *r = d->r;
	u32 ux = r->unit_of[ax], uy = r->unit_of[ay], k;
	u32 *at = map_at(r->arena, &d->index, ux < uy ? map_pair(ux, uy) : map_pair(uy, ux));
	Draft *f;

	if (!*at) {
		vec_push(r->arena, &d->at, (Draft){.unit_x = ux, .unit_y = uy});
		*at = d->at.n;
	}
	f = &d->at.at[*at - 1];
	k = f->n;
	if (k == TRIED || (k && f->meeting[k - 1] == meeting))
		return;
	f->meeting[k] = meeting;
	f->access_x[k] = ax;
	f->access_y[k] = ay;
	f->n++;
}

/* Two large classes: every access with one partner on the other side. */
static void
expand_some(Drafts *d, u32 meeting, const VecU32 *xs, const VecU32 *ys)
{
	d->r->result->abridged = true;
	for (u32 i = 0; i < xs->n; i++)
		draft(d, meeting, xs->at[i], ys->at[0]);
	for (u32 j = 1; j < ys->n; j++)
		draft(d, meeting, xs->at[0], ys->at[j]);
}

/* Within one class, each unordered pair of its accesses once. */
static void
expand(Drafts *d, u32 meeting)
{
	Races *r = d->r;
	const Meeting *m = &r->meetings.at[meeting];
	const VecU32 *xs = &r->classes.at[m->x].accesses, *ys = &r->classes.at[m->y].accesses;

	if ((u64)xs->n * ys->n > ALL_PAIRS) {
		expand_some(d, meeting, xs, ys);
		return;
	}
	for (u32 i = 0; i < xs->n; i++)
		for (u32 j = m->x == m->y ? i : 0; j < ys->n; j++)
			draft(d, meeting, xs->at[i], ys->at[j]);
}

/* The surest meetings first; equal ones in the order in which they were found. */
static void
draft_all(Drafts *d)
{
	static const u32 max_doubt = 16 + 8 + 8 + 4 + 1;

	for (u32 doubt = 0; doubt <= max_doubt; doubt++)
		for (u32 i = 0; i < d->r->meetings.n; i++)
			if (d->r->meetings.at[i].doubt == doubt)
				expand(d, i);
}

static bool
may_ask_definite(Drafts *d, SlotId slot)
{
	u32 *n = map_at(d->r->arena, &d->definite_asked, (u64)slot + 1);

	return (*n)++ < DEFINITE_TRIED;
}

/* The write comes first, then the one that comes first in the program. */
static void
orient(const Races *r, Pair *p)
{
	const Access *a = access_at(r, p->a), *b = access_at(r, p->b);
	bool wa = a->flags & ACC_WRITE, wb = b->flags & ACC_WRITE;

	if (wa > wb || (wa == wb && a->ins <= b->ins))
		return;
	*p = (Pair){p->b, p->a, p->slot_b, p->slot_a, p->rung, p->reasons, p->folded_under};
}

static Pair
decide(Drafts *d, const Draft *f)
{
	Races *r = d->r;
	Pair best = {0};
	u32 fewest = UINT32_MAX;

	for (u32 k = 0; k < f->n && fewest; k++) {
		const Meeting *m = &r->meetings.at[f->meeting[k]];
		u32 reasons = reasons_of(r->reasons, f->access_x[k], f->access_y[k], m);
		u32 n = (u32)__builtin_popcount(reasons);

		if (n >= fewest)
			continue;
		fewest = n;
		best = (Pair){f->access_x[k],
			      f->access_y[k],
			      m->slot_x,
			      m->slot_y,
			      reasons ? RUNG_POSSIBLE : RUNG_LIKELY,
			      reasons,
			      0};
	}
	orient(r, &best);
	if (best.rung == RUNG_LIKELY && may_ask_definite(d, best.slot_a) &&
	    definite_pair(d->definite, access_at(r, best.a), access_at(r, best.b), best.slot_a,
			  best.slot_b))
		best.rung = RUNG_DEFINITE;
	return best;
}

static void
keep_rung(Races *r, const Pair *p)
{
	InsId a = access_at(r, p->a)->ins, b = access_at(r, p->b)->ins;
	u32 *at = map_at(r->arena, &r->result->rung_of, map_pair(MIN(a, b), MAX(a, b)));

	*at = MAX(*at, (u32)p->rung);
}

/* What race_pair_rung needs for the pairs that are not listed. */
static void
keep_groups(Races *r)
{
	r->result->levels = r->levels;
	for (u32 u = 1; u < r->units.n; u++)
		if (r->units.at[u].group)
			map_put(r->arena, &r->result->group_of,
				(u64)r->units.at[u].ins * 2 +
				    ((r->units.at[u].flags & ACC_SECOND) != 0),
				r->units.at[u].group);
}

void
pairs_build(Races *r)
{
	Drafts d = {.r = r, .definite = definite_new(r->arena, r->conc)};

	draft_all(&d);
	if (r->result->abridged)
		keep_groups(r);
	for (u32 i = 0; i < d.at.n; i++) {
		Pair p = decide(&d, &d.at.at[i]);

		keep_rung(r, &p);
		vec_push(r->arena, &r->result->pairs, p);
	}
}

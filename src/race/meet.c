/* meet.c - where and in which contexts two groups race.
 *
 * Of the many ways in which two groups meet, only a few that look surest are
 * kept: a pair of instructions is judged by its best.  Each search looks at a
 * bounded number of objects and contexts, in a fixed order. */
#include "race/race_int.h"

enum {
	PLACES = 4,    /* of two shapes that are looked at */
	PER_CTX = 4,   /* others of it with which a ctx is listed */
	OBJECTS = 64,  /* in which two shapes are compared, once they race in one */
	BUNDLES = 256, /* pairs of bundles that are looked at, once two race */
	MANY = 8       /* cells: the address is mixed up with others */
};
enum {
	DOUBT_EXTERN = 16,
	DOUBT_FOLDED = 8,
	DOUBT_PUBLISHED = 8,
	DOUBT_MIXED = 4,
	DOUBT_LIBRARY = 2,
	DOUBT_PART = 1
};

typedef struct PlaceAt {
	SlotId slot_x, slot_y;
	Variant variant;
	bool vague; /* meet_vague of the slots */
	u32 doubt;
} PlaceAt;

typedef struct Search {
	Races *r;
	const Bundle *x, *y;
	u32 looked, nplace;
	PlaceAt place[PLACES];
	Meeting *out;
	u32 n, max;
} Search;

/* What a library returns comes into pointers to everything that is made of text: who
 * meets there meets elsewhere, if the program has a place of its own for it. */
static bool
is_library(const Ir *ir, const Obj *o)
{
	return o->kind == OBJ_GLOBAL && !ir->globals.at[o->ref].unit && !ir->globals.at[o->ref].src;
}

bool
meet_vague(const Races *r, SlotId x, SlotId y)
{
	const Obj *o = pta_obj(r->pta, pta_slot(r->pta, x)->obj);

	return o->folded || (o->vague && (!pta_slot_own(r->pta, x) || !pta_slot_own(r->pta, y)));
}

static u32
object_doubt(const Races *r, ObjId o, bool vague)
{
	const Obj *obj = pta_obj(r->pta, o);

	return (is_library(r->ir, obj) ? DOUBT_LIBRARY : 0) +
	       (obj->kind == OBJ_EXTERN ? DOUBT_EXTERN : 0) + (vague ? DOUBT_FOLDED : 0) +
	       (obj->kind != OBJ_GLOBAL ? DOUBT_PART : 0);
}

static u32
mixed_doubt(const Races *r, u32 shape)
{
	return r->cells.at[r->shapes.at[shape].cells].n > MANY ? DOUBT_MIXED : 0;
}

u32
shape_doubt(const Races *r, u32 s)
{
	const VecU32 *feet = &r->shapes.at[s].feet;
	u32 best = DOUBT_EXTERN + DOUBT_FOLDED + DOUBT_PART;

	for (u32 i = 0; i < feet->n; i++) {
		ObjId o = r->feet.at[feet->at[i]].obj;

		if (threads_shared(r->conc->threads, o))
			best = MIN(best, object_doubt(r, o, pta_obj(r->pta, o)->folded));
	}
	return best + mixed_doubt(r, s);
}

/* Keeps the places sorted, the surest first, the earlier of equal ones first. */
static void
keep_place(Search *s, PlaceAt p)
{
	u32 k = s->nplace;

	if (k == PLACES && s->place[k - 1].doubt <= p.doubt)
		return;
	if (k == PLACES)
		k--;
	else
		s->nplace++;
	for (; k && s->place[k - 1].doubt > p.doubt; k--)
		s->place[k] = s->place[k - 1];
	s->place[k] = p;
}

/* Keeps the place at which two feet meet in one and the same slot, or in others. */
static void
look_in(Search *s, ObjId o, const Overlap *at, bool same)
{
	Races *r = s->r;
	Variant v = variant_at(r, o, !same);
	bool vague;

	if (contexts_stage(r->contexts, s->x->ctxs, s->y->ctxs, v) != STAGE_UNGUARDED)
		return;
	vague = meet_vague(r, at->x[same], at->y[same]);
	keep_place(s, (PlaceAt){at->x[same], at->y[same], v, vague, object_doubt(r, o, vague)});
}

static bool
look_at(void *ctx, ObjId o, const Overlap *at)
{
	Search *s = ctx;

	s->looked++;
	if (at->x[0])
		look_in(s, o, at, false);
	/* What is anywhere in the object meets every member: is the one that is named meant? */
	if (at->x[1] && (!at->x[0] || pta_obj(s->r->pta, o)->vague))
		look_in(s, o, at, true);
	return s->looked < OBJECTS || !s->nplace;
}

static bool
is_surer(const Meeting *m, const Meeting *n)
{
	return m->doubt < n->doubt || (m->doubt == n->doubt && m->making < n->making);
}

static void
keep_meeting(Search *s, Meeting m)
{
	u32 k = s->n;

	if (k == s->max && !is_surer(&m, &s->out[k - 1]))
		return;
	if (k == s->max)
		k--;
	else
		s->n++;
	for (; k && is_surer(&m, &s->out[k - 1]); k--)
		s->out[k] = s->out[k - 1];
	s->out[k] = m;
}

/* Does the first such access lie in a constructor? */
static u32
making_at(Races *r, u32 shape, u32 ctx)
{
	u32 first = map_get(&r->first_of, map_pair(shape, ctx));

	if (!first)
		return 0;
	if (!r->making)
		r->making = arena_array(r->arena, u8, r->conc->accesses.n);
	if (!r->making[first - 1])
		r->making[first - 1] = (u8)(1 + far_of(r, first - 1).making);
	return r->making[first - 1] - 1u;
}

/* How many of the two sides lie in a constructor, where that decides which meeting is kept. */
static u32
making_of(Search *s, u32 ctx_x, u32 ctx_y, u32 doubt)
{
	if (s->r->ir->classes.n <= 1 || (s->n == s->max && s->out[s->n - 1].doubt < doubt))
		return 0;
	return making_at(s->r, s->x->shape, ctx_x) + making_at(s->r, s->y->shape, ctx_y);
}

/* The first few pairs of ctxs that race at the place; those of which neither
 * side is fresh are surer. */
static void
meet_at(Search *s, const PlaceAt *p)
{
	struct Contexts *cs = s->r->contexts;
	u32 found[2] = {0, 0};
	u32 mixed = MAX(mixed_doubt(s->r, s->x->shape), mixed_doubt(s->r, s->y->shape));

	SET_FOR (i, contexts_get(cs, s->x->ctxs)) {
		u32 few = 0;
		SET_FOR (j, contexts_get(cs, s->y->ctxs)) {
			bool fresh =
			    (context_get(cs, i.x)->flags | context_get(cs, j.x)->flags) & ACC_FRESH;

			if (found[fresh] == s->max || few == PER_CTX ||
			    !contexts_race(cs, i.x, j.x, p->variant))
				continue;
			u32 doubt = p->doubt + mixed + (fresh ? DOUBT_PUBLISHED : 0);
			found[fresh]++;
			few++;
			keep_meeting(s, (Meeting){s->x->shape, s->y->shape, i.x, j.x, p->slot_x,
						  p->slot_y, fresh, p->vague, doubt,
						  making_of(s, i.x, j.x, doubt)});
			if (found[0] == s->max)
				return;
		}
	}
}

static void
meet_bundles(Search *s)
{
	Races *r = s->r;

	s->looked = s->nplace = 0;
	if (r->opt->without[STAGE_ALIASING]) {
		Cell c = shape_stand_in(r, s->x->shape), d = shape_stand_in(r, s->y->shape);
		bool vague = c.slot && d.slot && meet_vague(r, c.slot, d.slot);

		if (c.slot && d.slot)
			keep_place(s, (PlaceAt){c.slot, d.slot,
						variant_anywhere(r, s->x->shape, s->y->shape),
						vague, object_doubt(r, c.obj, vague)});
	} else {
		shapes_overlap(r, s->x->shape, s->y->shape, look_at, s);
	}
	for (u32 i = 0; i < s->nplace; i++)
		meet_at(s, &s->place[i]);
}

u32
meetings_of(Races *r, u32 g, u32 h, Meeting *out, u32 max)
{
	const VecU32 *xs = &r->groups.at[g].bundles, *ys = &r->groups.at[h].bundles;
	Search s = {.r = r, .out = out, .max = max};
	u32 looked = 0;

	for (u32 i = 0; i < xs->n; i++)
		for (u32 j = 0; j < ys->n && (looked++ < BUNDLES || !s.n); j++) {
			s.x = &r->bundles.at[xs->at[i]];
			s.y = &r->bundles.at[ys->at[j]];
			meet_bundles(&s);
		}
	return s.n;
}

/* shapes.c - which memory accesses touch, and where two of them overlap.
 *
 * Shapes are compared object by object, and in an object by their feet, of
 * which there are far fewer than shapes: pointers that are mixed up with each
 * other have the same foot in most objects.  Everything is interned in the
 * order of conc->accesses, which is sorted, so ids do not depend on anything
 * else. */
#include "race/race_int.h"

#include <stdlib.h>

struct ShapeBuilder {
	Races *r;
	SetPool sets;
	Map lists;     /* SetId + 1 -> index in r->cells + 1 */
	Map list_at;   /* the same for where a set is, which many accesses share */
	Intern shapes; /* (cells, size); the id is the index in r->shapes */
	Intern feet;   /* (object, size, slots...); the id is the index in r->feet */
	VecU32 key;
};

/* Memory that can race: nothing writes constants, code is no data, and an array without
 * elements has none. */
static bool
is_data(const Races *r, const Slot *s)
{
	const Obj *o = pta_obj(r->pta, s->obj);

	if (o->empty && !s->off)
		return false;
	if (o->kind == OBJ_GLOBAL && r->ir->globals.at[o->ref].constant)
		return false;
	return o->kind != OBJ_FN && !pta_is_thread(o) && o->kind != OBJ_NONE;
}

static int
compare_cells(const void *x, const void *y)
{
	const Cell *a = x, *b = y;

	if (a->obj != b->obj)
		return a->obj < b->obj ? -1 : 1;
	return a->slot < b->slot ? -1 : a->slot > b->slot;
}

/* The data cells of a points-to set, kept once for each set. */
static u32
make_list(struct ShapeBuilder *b, const Set *pts)
{
	Races *r = b->r;
	u32 *at = map_at(&r->stages, &b->lists, (u64)setpool_intern(&b->sets, pts) + 1);
	CellList l = {0};

	if (*at)
		return *at - 1;
	SET_FOR (it, pts) {
		const Slot *s = pta_slot(r->pta, it.x);

		if (is_data(r, s))
			vec_push(r->arena, &l, (Cell){s->obj, it.x});
	}
	if (l.n)
		qsort(l.at, l.n, sizeof *l.at, compare_cells);
	vec_push(r->arena, &r->cells, l);
	*at = r->cells.n;
	return *at - 1;
}

static u32
list_of(struct ShapeBuilder *b, const Set *pts)
{
	u32 *at = map_at(&b->r->stages, &b->list_at, (uintptr_t)pts);

	if (!*at)
		*at = make_list(b, pts) + 1;
	return *at - 1;
}

/* What a free may end: variables are never given to one (C11 7.22.3.3), however much
 * points-to mixes them up with what is allocated. */
static u32
freed_list(struct ShapeBuilder *b, const Set *pts)
{
	const Races *r = b->r;
	Set ended = {0};
	u32 list;

	SET_FOR (it, pts) {
		u32 kind = pta_obj(r->pta, pta_slot(r->pta, it.x)->obj)->kind;
		if (kind != OBJ_STACK && kind != OBJ_GLOBAL)
			set_add(r->arena, &ended, it.x);
	}
	list = set_count(&ended) == set_count(pts) ? list_of(b, pts) : make_list(b, &ended);
	set_recycle(r->arena, &ended);
	return list;
}

static u32
foot_of(struct ShapeBuilder *b, const Cell *cells, u32 n, u64 size)
{
	Races *r = b->r;
	u32 id;

	b->key.n = 0;
	vec_push(&r->stages, &b->key, (u32)size);
	vec_push(&r->stages, &b->key, (u32)(size >> 32));
	for (u32 i = 0; i < n; i++)
		vec_push(&r->stages, &b->key, cells[i].slot);
	id = intern_bytes(&b->feet, b->key.at, b->key.n * sizeof(u32));
	if (id == r->feet.n) {
		vec_push(r->arena, &r->feet,
			 (Foot){.obj = cells->obj, .size = size, .cells = cells, .ncell = n});
		vec_push(r->arena, &r->feet_of[cells->obj], id);
	}
	return id;
}

u32
shape_of(struct ShapeBuilder *b, const Access *a)
{
	Races *r = b->r;
	const Set *pts = pta_pts(r->pta, a->inst, a->addr);
	bool ends = ir_ins(r->ir, a->ins)->op == OP_FREE;
	u64 key[2] = {ends ? freed_list(b, pts) : list_of(b, pts), a->size};
	u32 id = intern_bytes(&b->shapes, key, sizeof key);
	const CellList *l = &r->cells.at[key[0]];
	Shape s = {.cells = (u32)key[0], .size = a->size};

	if (id < r->shapes.n)
		return id;
	for (u32 i = 0, n; i < l->n; i += n) {
		u32 foot;

		for (n = 1; i + n < l->n && l->at[i + n].obj == l->at[i].obj;)
			n++;
		foot = foot_of(b, l->at + i, n, a->size);
		vec_push(r->arena, &s.feet, foot);
		set_add(r->arena, &r->feet.at[foot].shapes, id);
	}
	vec_push(r->arena, &r->shapes, s);
	return id;
}

struct ShapeBuilder *
shapes_begin(Races *r)
{
	struct ShapeBuilder *b = arena_new(&r->stages, struct ShapeBuilder);

	b->r = r;
	setpool_init(&b->sets, &r->stages);
	intern_init(&b->shapes, &r->stages);
	intern_init(&b->feet, &r->stages);
	r->feet_of = arena_array(r->arena, VecU32, r->pta->objs.n + 1);
	vec_push(r->arena, &r->shapes, (Shape){0});
	vec_push(r->arena, &r->feet, (Foot){0});
	return b;
}

/* One slot on both sides names one cell, or the same element of an array, if
 * what is accessed does not reach into the next element. */
static bool
apart(const Races *r, SlotId slot, u64 size_x, u64 size_y)
{
	const Slot *s = pta_slot(r->pta, slot);
	u32 stride = s->in ? MIN(s->in, s->stride) : s->stride;

	return !stride || (size_x && size_y && stride >= MAX(size_x, size_y));
}

bool
feet_overlap(const Races *r, const Foot *x, const Foot *y, Overlap *at)
{
	*at = (Overlap){{0}, {0}};
	for (u32 i = 0; i < x->ncell; i++)
		for (u32 j = 0; j < y->ncell; j++) {
			SlotId s = x->cells[i].slot, t = y->cells[j].slot;
			bool same = s == t && apart(r, s, x->size, y->size);

			if (at->x[same] || !pta_overlap(r->pta, s, x->size, t, y->size))
				continue;
			at->x[same] = s;
			at->y[same] = t;
		}
	return at->x[0] || at->x[1];
}

static void
join_feet(Races *r, u32 x, u32 y)
{
	Foot *f = &r->feet.at[x], *g = &r->feet.at[y];
	Overlap at;

	if ((!f->writes && !g->writes) || !feet_overlap(r, f, g, &at))
		return;
	vec_push(r->arena, &f->near, (Near){y, at.x[0] != 0});
	if (x != y)
		vec_push(r->arena, &g->near, (Near){x, at.x[0] != 0});
}

/* Most sets of shapes are those of many feet: each is kept once. */
static void
share_sets(Races *r)
{
	SetPool pool;

	setpool_init(&pool, r->arena);
	r->foot_obj = arena_array(r->arena, ObjId, r->feet.n);
	for (u32 i = 1; i < r->feet.n; i++) {
		Foot *f = &r->feet.at[i];

		f->id = setpool_intern(&pool, &f->shapes);
		set_recycle(r->arena, &f->shapes);
		r->foot_obj[i] = f->obj;
	}
	for (u32 i = 1; i < r->feet.n; i++)
		r->feet.at[i].shapes = *setpool_get(&pool, r->feet.at[i].id);
}

void
shapes_end(Races *r)
{
	share_sets(r);
	for (u32 s = 1; s < r->shapes.n; s++)
		SET_FOR (it, &r->shapes.at[s].ctxs)
			if (context_get(r->contexts, it.x)->flags & ACC_WRITE) {
				for (u32 i = 0; i < r->shapes.at[s].feet.n; i++)
					r->feet.at[r->shapes.at[s].feet.at[i]].writes = true;
				break;
			}
	for (ObjId o = 1; o < r->pta->objs.n; o++)
		for (u32 i = 0; i < r->feet_of[o].n; i++)
			for (u32 j = i; j < r->feet_of[o].n; j++)
				join_feet(r, r->feet_of[o].at[i], r->feet_of[o].at[j]);
}

Variant
variant_at(const Races *r, ObjId o, bool other)
{
	bool ordered = publish_ordered(r->publish, o);

	if (!r->opt->without[STAGE_ESCAPING] &&
	    (!threads_shared(r->conc->threads, o) || threads_lent(r->conc->threads, o)))
		return 0;
	return VARIANT_SHARED + (other ? MEET_OTHER : 0) +
	       (ordered ? MEET_ORDERED_X + MEET_ORDERED_Y : 0);
}

Cell
shape_stand_in(const Races *r, u32 s)
{
	const CellList *l = &r->cells.at[r->shapes.at[s].cells];

	for (u32 i = 0; i < l->n; i++)
		if (threads_shared(r->conc->threads, l->at[i].obj))
			return l->at[i];
	return l->n ? l->at[0] : (Cell){0, 0};
}

Variant
variant_anywhere(const Races *r, u32 s, u32 t)
{
	Cell c = shape_stand_in(r, s), d = shape_stand_in(r, t);
	Variant x = variant_at(r, c.obj, true), y = variant_at(r, d.obj, true);

	if (!x || !y)
		return 0;
	return VARIANT_SHARED + MEET_OTHER + ((x - VARIANT_SHARED) & MEET_ORDERED_X) +
	       ((y - VARIANT_SHARED) & MEET_ORDERED_Y);
}

/* As many sets and more are gathered in rows of bits: the union of many sparse sets
 * would be merged again for each. */
enum { MANY_SETS = 8 };

/* Row k of bits, one for each shape, all 0 but while it is filled: those of the
 * variants, and two for feet. */
static u64 *
row_of_shapes(Races *r, u32 k)
{
	u32 words = r->shapes.n / 64 + 1;

	if (!r->rows)
		r->rows = arena_array(&r->stages, u64, (size_t)words * (VARIANT_COUNT + 2));
	return r->rows + (size_t)words * k;
}

static void
take_row(Races *r, u32 k, Set *out)
{
	set_from_row(&r->stages, out, row_of_shapes(r, k), r->shapes.n / 64 + 1);
}

static Neighbours *
make_neighbours(Races *r, const Foot *f)
{
	Neighbours *out = arena_new(&r->stages, Neighbours);
	bool many = f->near.n >= MANY_SETS;

	for (u32 k = 0; k < f->near.n; k++) {
		const Set *shapes = &r->feet.at[f->near.at[k].foot].shapes;
		u32 other = f->near.at[k].other;

		if (many)
			set_to_row(shapes, row_of_shapes(r, VARIANT_COUNT + other));
		else
			set_or(&r->stages, &out->shapes[other], shapes);
	}
	for (u32 other = 0; many && other < 2; other++)
		take_row(r, VARIANT_COUNT + other, &out->shapes[other]);
	return out;
}

/* The shapes that a foot meets: [0] only in one and the same slot. */
static Neighbours *
foot_neighbours(Races *r, Foot *f)
{
	VecU32 *key = &r->near_key;
	u32 id;

	if (f->neighbours)
		return f->neighbours;
	if (!r->near_sets.arena)
		intern_init(&r->near_sets, &r->stages);
	key->n = 0;
	vec_push(&r->stages, key, f->near.n);
	for (u32 k = 0; k < f->near.n; k++)
		vec_push(&r->stages, key,
			 r->feet.at[f->near.at[k].foot].id * 2 + f->near.at[k].other);
	id = intern_bytes(&r->near_sets, key->at, key->n * sizeof *key->at);
	if (id > r->near_of.n)
		vec_push(&r->stages, &r->near_of, make_neighbours(r, f));
	return f->neighbours = r->near_of.at[id - 1];
}

/* Adds what a foot of the shape meets to its rows, unless another has added the same. */
static void
gather_foot(Races *r, u32 shape, Foot *f, bool used[VARIANT_COUNT])
{
	Neighbours *near = foot_neighbours(r, f);

	if (near->gathered != shape)
		near->variants = 0;
	near->gathered = shape;
	for (u32 other = 0; other < 2; other++) {
		Variant v = variant_at(r, f->obj, other);
		u32 bit = 1u << (v * 2 + other);

		if (!(near->variants & bit))
			set_to_row(&near->shapes[other], row_of_shapes(r, v));
		near->variants |= bit;
		used[v] = true;
	}
}

static void
gather_neighbours(Races *r, u32 shape, Set *out)
{
	const VecU32 *feet = &r->shapes.at[shape].feet;
	bool used[VARIANT_COUNT] = {0};

	for (u32 i = 0; i < feet->n; i++)
		gather_foot(r, shape, &r->feet.at[feet->at[i]], used);
	for (Variant v = 0; v < VARIANT_COUNT; v++)
		if (used[v])
			take_row(r, v, &out[v]);
}

static void
find_neighbours(Races *r, u32 s)
{
	Set *out = r->shapes.at[s].neighbours;
	const VecU32 *feet = &r->shapes.at[s].feet;

	if (feet->n >= MANY_SETS) {
		gather_neighbours(r, s, out);
		return;
	}
	for (u32 i = 0; i < feet->n; i++) {
		Foot *f = &r->feet.at[feet->at[i]];
		const Set *near = foot_neighbours(r, f)->shapes;

		for (u32 other = 0; other < 2; other++)
			set_or(&r->stages, &out[variant_at(r, f->obj, other)], &near[other]);
	}
}

const Set *
shape_neighbours(Races *r, u32 s)
{
	Shape *shape = &r->shapes.at[s];

	if (shape->neighbours)
		return shape->neighbours;
	shape->neighbours = arena_array(&r->stages, Set, VARIANT_COUNT);
	if (!r->opt->without[STAGE_ALIASING])
		find_neighbours(r, s);
	else
		for (u32 t = 1; t < r->shapes.n; t++)
			set_add(&r->stages, &shape->neighbours[variant_anywhere(r, s, t)], t);
	return shape->neighbours;
}

void
shapes_overlap(const Races *r, u32 s, u32 t, OverlapFn visit, void *ctx)
{
	const VecU32 *x = &r->shapes.at[s].feet, *y = &r->shapes.at[t].feet;
	Overlap at;

	for (u32 i = 0, j = 0; i < x->n && j < y->n;) {
		u32 f = x->at[i], g = y->at[j];
		ObjId o = r->foot_obj[f], p = r->foot_obj[g];

		i += o <= p;
		j += p <= o;
		if (o == p && feet_overlap(r, &r->feet.at[f], &r->feet.at[g], &at) &&
		    !visit(ctx, o, &at))
			return;
	}
}

/* classes.c - groups accesses that no stage can tell apart.
 *
 * See race_int.h for the words.  Everything is interned in the order of
 * conc->accesses, which is sorted, so ids do not depend on anything else. */
#include "race/race_int.h"

typedef struct Key {
	u32 shape, kind, flags, thread, order, guards;
} Key;

typedef struct Builder {
	Races *r;
	SetPool sets;
	Map lists;     /* SetId + 1 -> index in r->cells + 1 */
	Intern shapes; /* (cells, size); the id is the index in r->shapes */
	Intern keys;   /* Key; the id is the index in r->classes */
} Builder;

static bool
is_data(const Obj *o)
{
	return o->kind != OBJ_FN && o->kind != OBJ_THREAD && o->kind != OBJ_NONE;
}

static void
sort_cells(CellList *l)
{
	for (u32 i = 1; i < l->n; i++) {
		Cell c = l->at[i];
		u32 k = i;

		for (; k && l->at[k - 1].obj > c.obj; k--)
			l->at[k] = l->at[k - 1];
		l->at[k] = c;
	}
}

/* The data cells of a points-to set, kept once for each set. */
static u32
list_of(Builder *b, const Set *pts)
{
	Races *r = b->r;
	u32 *at = map_at(r->arena, &b->lists, (u64)setpool_intern(&b->sets, pts) + 1);
	CellList l = {0};

	if (*at)
		return *at - 1;
	SET_FOR (it, pts) {
		const Slot *s = pta_slot(r->pta, it.x);

		if (is_data(pta_obj(r->pta, s->obj)))
			vec_push(r->arena, &l, (Cell){s->obj, it.x});
	}
	sort_cells(&l);
	vec_push(r->arena, &r->cells, l);
	*at = r->cells.n;
	return *at - 1;
}

static u32
shape_of(Builder *b, const Access *a)
{
	Races *r = b->r;
	u64 key[2] = {list_of(b, pta_pts(r->pta, a->inst, a->addr)), a->size};
	u32 id = intern_bytes(&b->shapes, key, sizeof key);
	const CellList *l = &r->cells.at[key[0]];

	if (id < r->shapes.n)
		return id;
	vec_push(r->arena, &r->shapes, (Shape){.cells = (u32)key[0], .size = a->size});
	for (u32 i = 0; i < l->n; i++)
		if (!i || l->at[i].obj != l->at[i - 1].obj)
			vec_push(r->arena, &r->shapes_of[l->at[i].obj], id);
	return id;
}

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

static u32
class_flags(const Races *r, const Access *a)
{
	const Ins *i = ir_ins(r->ir, a->ins);
	u32 f = a->flags & (ACC_WRITE | ACC_ATOMIC | ACC_VOLATILE | ACC_FRESH);

	if (r->opt->volatile_atomic && (f & ACC_VOLATILE))
		f |= ACC_ATOMIC;
	if (!(f & ACC_WRITE) || i->op == OP_RMW || i->op == OP_CAS)
		f |= CLASS_READS;
	if (a->flags & ACC_ATOMIC) {
		f |= order_releases(i->order) ? CLASS_RELEASE : 0;
		f |= order_acquires(i->order) ? CLASS_ACQUIRE : 0;
	}
	return f | (is_own(r, a) ? CLASS_OWN : 0);
}

static u32
class_of(Builder *b, u32 access)
{
	Races *r = b->r;
	const Access *a = access_at(r, access);
	Key k = {shape_of(b, a),    r->units.at[r->unit_of[access]].kind,
		 class_flags(r, a), a->thread,
		 a->order,          a->guards};
	u32 id = intern_bytes(&b->keys, &k, sizeof k);

	if (id == r->classes.n) {
		vec_push(
		    r->arena, &r->classes,
		    (AccClass){k.shape, k.kind, k.flags, k.thread, k.order, k.guards, {0}, {0}});
		vec_push(r->arena, &r->shapes.at[k.shape].classes, id);
		r->shapes.at[k.shape].writes |= (k.flags & ACC_WRITE) != 0;
	}
	vec_push(r->arena, &r->classes.at[id].accesses, access);
	return id;
}

/* Units with the same set of classes become a group. */
static void
build_groups(Races *r)
{
	Set *of = arena_array(r->arena, Set, r->units.n);
	SetPool pool;

	setpool_init(&pool, r->arena);
	vec_push(r->arena, &r->group_sizes, 0);
	for (u32 i = 0; i < r->conc->accesses.n; i++)
		set_add(r->arena, &of[r->unit_of[i]], r->class_of[i]);
	for (u32 u = 1; u < r->units.n; u++) {
		u32 g;

		if (!r->units.at[u].reached)
			continue;
		g = setpool_intern(&pool, &of[u]);
		if (g == r->group_sizes.n) {
			vec_push(r->arena, &r->group_sizes, 0);
			SET_FOR (it, &of[u])
				vec_push(r->arena, &r->classes.at[it.x].groups, g);
		}
		r->group_sizes.at[g]++;
		r->units.at[u].group = g;
	}
}

void
classes_build(Races *r)
{
	Builder b = {.r = r};

	setpool_init(&b.sets, r->arena);
	intern_init(&b.shapes, r->arena);
	intern_init(&b.keys, r->arena);
	r->shapes_of = arena_array(r->arena, VecU32, r->pta->objs.n + 1);
	vec_push(r->arena, &r->shapes, (Shape){0});
	vec_push(r->arena, &r->classes, (AccClass){0});
	r->class_of = arena_array(r->arena, u32, r->conc->accesses.n + 1);
	for (u32 i = 0; i < r->conc->accesses.n; i++)
		r->class_of[i] = class_of(&b, i);
	build_groups(r);
}

const Cell *
shape_cells(const Races *r, u32 s, ObjId o, u32 *n)
{
	const CellList *l = &r->cells.at[r->shapes.at[s].cells];
	u32 lo = 0, hi = l->n, end;

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;

		if (l->at[mid].obj < o)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (end = lo; end < l->n && l->at[end].obj == o;)
		end++;
	*n = end - lo;
	return l->at + lo;
}

/* One slot on both sides names one cell, or the same element of an array, if
 * what is accessed does not reach into the next element. */
static bool
apart(const Races *r, SlotId slot, u64 size_x, u64 size_y)
{
	u32 stride = pta_slot(r->pta, slot)->stride;

	return !stride || (size_x && size_y && stride >= MAX(size_x, size_y));
}

bool
shapes_overlap(const Races *r, u32 s, u32 t, ObjId o, Overlap *at)
{
	u64 sx = r->shapes.at[s].size, sy = r->shapes.at[t].size;
	u32 nx, ny;
	const Cell *x = shape_cells(r, s, o, &nx), *y = shape_cells(r, t, o, &ny);

	*at = (Overlap){{0}, {0}};
	for (u32 i = 0; i < nx; i++)
		for (u32 j = 0; j < ny; j++) {
			bool same = x[i].slot == y[j].slot && apart(r, x[i].slot, sx, sy);

			if (at->x[same] || !pta_overlap(r->pta, x[i].slot, sx, y[j].slot, sy))
				continue;
			at->x[same] = x[i].slot;
			at->y[same] = y[j].slot;
		}
	return at->x[0] || at->x[1];
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

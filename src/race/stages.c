/* stages.c - the stages of Chord's Figure 11, on classes of accesses.
 *
 * Classes that meet in some object are compared once per object; the furthest
 * stage that a pair of groups reaches, over all objects and contexts, decides
 * for all pairs of their units.  So the counts are of distinct pairs, and the
 * work is in classes per object, not in accesses squared. */
#include "race/race_int.h"

static bool
memo(const Map *m, u64 key, bool *answer)
{
	u32 v = map_get(m, key);

	*answer = v == 2;
	return v != 0;
}

static u64
unordered(u32 x, u32 y)
{
	return x < y ? map_pair(x, y) : map_pair(y, x);
}

static u32
when_of(Races *r, const AccClass *c)
{
	u32 *at = map_at(r->arena, &r->when_index, map_pair(c->thread, c->order));

	if (!*at)
		*at = r->when_index.n;
	return *at;
}

bool
classes_parallel(Races *r, u32 x, u32 y)
{
	const AccClass *c = &r->classes.at[x], *d = &r->classes.at[y];
	u64 key = unordered(when_of(r, c), when_of(r, d));
	bool answer;

	if (!memo(&r->memo_when, key, &answer)) {
		answer = order_parallel(r->conc->order, c->thread, c->order, d->thread, d->order);
		map_put(r->arena, &r->memo_when, key, 1 + answer);
	}
	return answer;
}

bool
classes_excluded(Races *r, u32 x, u32 y, bool same_slot)
{
	GuardId g = r->classes.at[x].guards, h = r->classes.at[y].guards;
	Map *m = &r->memo_guard[same_slot];
	u64 key = unordered(g, h);
	bool answer;
	u32 why;

	if (!g || !h)
		return false;
	if (!memo(m, key, &answer)) {
		answer = locks_exclude(r->conc->locks, g, h, same_slot, &why);
		map_put(r->arena, m, key, 1 + answer);
	}
	return answer;
}

/* Do two threads, or two instances of one, touch the memory at all? */
static bool
escapes(const Races *r, const AccClass *c, const AccClass *d, ObjId ox, ObjId oy)
{
	if (c->thread == d->thread && !order_self_overlap(r->conc->order, c->thread))
		return false;
	if (c->flags & d->flags & CLASS_OWN)
		return false; /* each thread's own copy */
	return threads_shared(r->conc->threads, ox) && threads_shared(r->conc->threads, oy);
}

/* Is a pair that one side makes before anybody else can see the object kept
 * apart by that?  What both sides still have for themselves is two objects. */
static bool
unpublished(Races *r, const AccClass *c, const AccClass *d, ObjId ox, ObjId oy)
{
	bool fx = (c->flags & ACC_FRESH) != 0, fy = (d->flags & ACC_FRESH) != 0;

	if (!fx && !fy)
		return false;
	return (fx && fy) || publish_ordered(r->publish, fx ? ox : oy);
}

/* The furthest stage that the pair of classes reaches where it meets at `at`. */
static Stage
judge(Races *r, u32 x, u32 y, ObjId ox, ObjId oy, const Overlap *at, u32 *which)
{
	const AccClass *c = &r->classes.at[x], *d = &r->classes.at[y];
	const bool *without = r->opt->without;

	*which = at->x[0] ? 0 : 1;
	if (!without[STAGE_ESCAPING] && !escapes(r, c, d, ox, oy))
		return STAGE_ALIASING;
	if (!without[STAGE_PARALLEL] &&
	    (!classes_parallel(r, x, y) || unpublished(r, c, d, ox, oy)))
		return STAGE_ESCAPING;
	if (without[STAGE_UNGUARDED])
		return STAGE_UNGUARDED;
	for (u32 same = 0; same < 2; same++)
		if (at->x[same] && !classes_excluded(r, x, y, same)) {
			*which = same;
			return STAGE_UNGUARDED;
		}
	return STAGE_PARALLEL;
}

static void
raise(Races *r, u32 x, u32 y, Stage stage)
{
	const AccClass *c = &r->classes.at[x], *d = &r->classes.at[y];

	for (u32 i = 0; i < c->groups.n; i++)
		for (u32 j = 0; j < d->groups.n; j++) {
			u32 *at = map_at(r->arena, &r->levels,
					 unordered(c->groups.at[i], d->groups.at[j]));

			*at = MAX(*at, (u32)stage);
		}
}

static u32
doubt_of(const Races *r, u32 x, u32 y, ObjId o, bool published)
{
	const Obj *obj = pta_obj(r->pta, o);
	u32 cx = r->cells.at[r->shapes.at[r->classes.at[x].shape].cells].n;
	u32 cy = r->cells.at[r->shapes.at[r->classes.at[y].shape].cells].n;
	u32 doubt = obj->kind == OBJ_EXTERN ? 16 : 0;

	doubt += obj->folded ? 8 : 0;
	doubt += published ? 8 : 0;
	doubt += MAX(cx, cy) > 8 ? 4 : 0;
	return doubt + (obj->kind != OBJ_GLOBAL);
}

static void
meet(Races *r, u32 x, u32 y, ObjId ox, ObjId oy, const Overlap *at)
{
	bool published = (r->classes.at[x].flags | r->classes.at[y].flags) & ACC_FRESH;
	u32 which;
	Stage s;

	if (!flags_conflict(r->classes.at[x].flags, r->classes.at[y].flags))
		return;
	s = judge(r, x, y, ox, oy, at, &which);
	raise(r, x, y, s);
	if (s == STAGE_UNGUARDED && at->x[which] && at->y[which])
		vec_push(r->arena, &r->meetings,
			 (Meeting){x, y, at->x[which], at->y[which], published,
				   doubt_of(r, x, y, ox, published)});
}

static void
meet_shapes(Races *r, u32 s, u32 t, ObjId ox, ObjId oy, const Overlap *at)
{
	const VecU32 *xs = &r->shapes.at[s].classes, *ys = &r->shapes.at[t].classes;

	for (u32 i = 0; i < xs->n; i++)
		for (u32 j = s == t ? i : 0; j < ys->n; j++)
			meet(r, xs->at[i], ys->at[j], ox, oy, at);
}

static void
visit_object(Races *r, ObjId o)
{
	const VecU32 *l = &r->shapes_of[o];
	Overlap at;

	for (u32 i = 0; i < l->n; i++)
		for (u32 j = i; j < l->n; j++)
			if ((r->shapes.at[l->at[i]].writes || r->shapes.at[l->at[j]].writes) &&
			    shapes_overlap(r, l->at[i], l->at[j], o, &at))
				meet_shapes(r, l->at[i], l->at[j], o, o, &at);
}

/* The cell that stands for a shape where aliasing is not looked at: one that
 * could escape, if any. */
static Cell
stand_in(const Races *r, u32 s)
{
	const CellList *l = &r->cells.at[r->shapes.at[s].cells];

	for (u32 i = 0; i < l->n; i++)
		if (threads_shared(r->conc->threads, l->at[i].obj))
			return l->at[i];
	return l->n ? l->at[0] : (Cell){0, 0};
}

/* The ablation: any two accesses of one kind might be of one cell. */
static void
visit_all(Races *r)
{
	for (u32 x = 1; x < r->classes.n; x++)
		for (u32 y = x; y < r->classes.n; y++) {
			Cell c = stand_in(r, r->classes.at[x].shape);
			Cell d = stand_in(r, r->classes.at[y].shape);
			Overlap at = {{c.slot, 0}, {d.slot, 0}};

			if (r->classes.at[x].kind == r->classes.at[y].kind)
				meet(r, x, y, c.obj, d.obj, &at);
		}
}

static void
count(Races *r)
{
	u64 *n = r->result->count;

	n[STAGE_ORIGINAL] = units_pairs(r, false);
	n[STAGE_REACHABLE] = units_pairs(r, !r->opt->without[STAGE_REACHABLE]);
	for (u32 i = 0; i < r->levels.cap; i++) {
		const MapCell *c = &r->levels.cells[i];
		u64 g = r->group_sizes.at[c->key >> 32], h = r->group_sizes.at[(u32)c->key];
		u64 pairs = c->key >> 32 == (u32)c->key ? g * (g + 1) / 2 : g * h;

		for (u32 s = STAGE_ALIASING; c->val && s <= c->val; s++)
			n[s] += pairs;
	}
}

void
stages_run(Races *r)
{
	if (r->opt->without[STAGE_ALIASING])
		visit_all(r);
	else
		for (ObjId o = 1; o < r->pta->objs.n; o++)
			visit_object(r, o);
	count(r);
}

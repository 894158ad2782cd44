/* distinct_write.c - the writes to each object, and the entries of each instance.
 *
 * In a large program many writes go through pointers to the same thousands of objects:
 * a list for each object would be longer than all else that we know.  But such pointers
 * share their sets, so the writes are listed by set, the sets by object, and the writes
 * to an object put together when they are first asked for. */
#include "conc/distinct_int.h"

#include "conc/access.h"

#include <stdlib.h>

typedef struct WriteSet {
	const Set *pts;
	VecU32 writes; /* in all */
} WriteSet;

typedef struct SetOf {
	u32 set, next; /* of the same object */
} SetOf;

struct Writes {
	Vec(Write) all; /* in the order of the program */
	Map set_of;     /* the place of a Set -> index in sets plus 1 */
	Vec(WriteSet) sets;
	Map head; /* ObjId -> its first SetOf */
	Vec(SetOf) of;
	Map found; /* ObjId -> index in lists plus 1 */
	Vec(Write *) lists;
};

/* Lists the set of a WriteSet for each of its objects. */
static void
index_objects(struct Writes *ws, const Pta *p, u32 set, Arena *a)
{
	ObjId last = 0;

	SET_FOR (it, ws->sets.at[set].pts) {
		ObjId o = pta_slot(p, it.x)->obj;
		u32 *head = o == last ? NULL : map_at(a, &ws->head, o);
		last = o;
		if (!head || (*head && ws->of.at[*head].set == set))
			continue;
		vec_push(a, &ws->of, (SetOf){set, *head});
		*head = ws->of.n - 1;
	}
}

static void
add_write(struct Writes *ws, const Pta *p, Write w, const Set *pts, Arena *a)
{
	u32 *set = map_at(a, &ws->set_of, (u64)(uintptr_t)pts);

	if (!*set) {
		vec_push(a, &ws->sets, (WriteSet){.pts = pts});
		*set = ws->sets.n;
		index_objects(ws, p, *set - 1, a);
	}
	vec_push(a, &ws->sets.at[*set - 1].writes, ws->all.n);
	vec_push(a, &ws->all, w);
}

static struct Writes *
list_writes(const Distinct *d, Arena *a)
{
	struct Writes *ws = arena_new(a, struct Writes);

	vec_push(a, &ws->of, (SetOf){0});
	for (InstId i = 1; i < d->p->insts.n; i++) {
		const Fn *fn = pta_fn(d->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
			Touch touch[2];
			u32 n = access_touches(d->ir, id, touch);
			for (u32 k = 0; k < n; k++)
				if (touch[k].flags & ACC_WRITE && !(touch[k].flags & ACC_FREE))
					add_write(ws, d->p, (Write){i, id, k, NULL},
						  pta_pts(d->p, i, touch[k].addr), a);
		}
	}
	return ws;
}

static int
compare(const void *x, const void *y)
{
	u32 a = *(const u32 *)x, b = *(const u32 *)y;

	return a < b ? 1 : a > b ? -1 : 0;
}

/* The writes to an object, the last one first. */
static Write *
put_together(const struct Writes *ws, ObjId o, Arena *a)
{
	VecU32 all = {0};
	Write *list;

	for (u32 k = map_get(&ws->head, o); k; k = ws->of.at[k].next) {
		const VecU32 *more = &ws->sets.at[ws->of.at[k].set].writes;
		for (u32 i = 0; i < more->n; i++)
			vec_push(a, &all, more->at[i]);
	}
	if (!all.n)
		return NULL;
	qsort(all.at, all.n, sizeof *all.at, compare);
	list = arena_array(a, Write, all.n);
	for (u32 i = 0; i < all.n; i++) {
		list[i] = ws->all.at[all.at[i]];
		list[i].next = i + 1 < all.n ? &list[i + 1] : NULL;
	}
	arena_recycle(a, all.at, all.cap * sizeof *all.at);
	return list;
}

const Write *
distinct_writes(Distinct *d, ObjId o)
{
	struct Writes *ws = d->writes;
	u32 *found;

	if (!ws)
		ws = d->writes = list_writes(d, d->arena);
	found = map_at(d->arena, &ws->found, o);
	if (!*found) {
		vec_push(d->arena, &ws->lists, put_together(ws, o, d->arena));
		*found = ws->lists.n;
	}
	return ws->lists.at[*found - 1];
}

bool
write_meets_behind(const Distinct *d, const Write *w, SlotId slot, i64 off, u64 bytes)
{
	Touch touch[2];

	access_touches(d->ir, w->ins, touch);
	SET_FOR (s, pta_pts(d->p, w->inst, touch[w->touch].addr))
		if (pta_overlap_behind(d->p, slot, off, bytes, s.x, touch[w->touch].size))
			return true;
	return false;
}

bool
write_meets(const Distinct *d, const Write *w, SlotId slot, u64 bytes)
{
	return write_meets_behind(d, w, slot, 0, bytes);
}

typedef struct Alone {
	const Order *order;
	InsId ins;
	bool is;
} Alone;

static void
look_around(void *ctx, const Point *pt)
{
	Alone *a = ctx;

	if (pt->ins == a->ins)
		a->is &= pt->entry->thread == 1 && set_empty(order_running(a->order, pt->order));
}

bool
write_alone(Distinct *d, const Write *w)
{
	Alone a = {d->order, w->ins, d->entries && d->entries->complete};

	for (u32 i = a.is ? distinct_entry(d, w->inst) : 0; i && a.is;
	     i = distinct_entry_next(d, i))
		entries_walk(d->entries, &d->entries->at.at[i], SITE_TOUCH, look_around, &a);
	return a.is;
}

bool
write_clears(const Distinct *d, const Write *w, u64 bytes)
{
	const Ins *ins = ir_ins(d->ir, w->ins);
	Val v = ins->op == OP_STORE ? ins_arg(d->ir, ins, 1) : 0;

	return val_is_const(v) && ir_const(d->ir, v)->kind == CONST_NULL &&
	       (ins->width + 7u) / 8 == bytes;
}

u32
distinct_entry(Distinct *d, InstId inst)
{
	const Entries *e = d->entries;

	if (!d->entry_of) {
		d->entry_of = arena_array(d->arena, u32, d->p->insts.n);
		d->entry_next = arena_array(d->arena, u32, e->at.n);
		for (u32 i = e->at.n; i-- > 1;) {
			const Entry *en = &e->at.at[i];
			if (en->dead)
				continue;
			d->entry_next[i] = d->entry_of[en->inst];
			d->entry_of[en->inst] = i;
		}
	}
	return d->entry_of[inst];
}

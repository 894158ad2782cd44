/* stable.c - see stable.h.  Read-only after publication, per cell. */
#include "conc/stable.h"

#include "conc/access.h"

typedef struct Written {
	SlotId slot;
	u64 size;
	u32 next; /* of the same object */
} Written;

struct Stable {
	Arena *arena;
	const Pta *pta;
	bool complete;
	Map head; /* ObjId -> index of its first Written */
	Vec(Written) at;
};

typedef struct Finder {
	Stable *s;
	Entries *e;
	Intern sets; /* of slots that were written, by where they are kept, and size */
	Intern seen;
	Map row_of; /* (instance, fresh parameters) -> its first in done plus 1 */
	Vec(u8) done;
	u32 row; /* of the present entry */
} Finder;

static void
note_slot(Finder *f, SlotId slot, u64 size)
{
	Stable *s = f->s;
	struct {
		u64 size;
		u64 slot;
	} key = {size, slot};
	u32 before = intern_count(&f->seen), *head;

	intern_bytes(&f->seen, &key, sizeof key);
	if (intern_count(&f->seen) == before)
		return;
	head = map_at(s->arena, &s->head, pta_slot(s->pta, slot)->obj);
	vec_push(s->arena, &s->at, (Written){slot, size, *head});
	*head = s->at.n - 1;
}

/* The pointers of a large program share their sets: each is noted once. */
static void
note_set(Finder *f, const Set *pts, u64 size)
{
	struct {
		const Set *pts;
		u64 size;
	} key = {pts, size};
	u32 before = intern_count(&f->sets);

	intern_bytes(&f->sets, &key, sizeof key);
	if (intern_count(&f->sets) == before)
		return;
	SET_FOR (it, pts)
		note_slot(f, it.x, size);
}

/* Whatever thread it is, but for one that runs alone, an instance that gets the same fresh
 * parameters writes the same: its sites are looked at once. */
static void
take_row(Finder *f, const Entry *en)
{
	Arena *a = f->e->arena;
	u32 *row = map_at(a, &f->row_of, map_pair(en->inst, en->fresh));

	if (!*row) {
		u32 n = entries_sites(f->e, pta_inst(f->s->pta, en->inst)->fn, SITE_TOUCH);
		*row = f->done.n + 1;
		for (u32 i = 0; i < n; i++)
			vec_push(a, &f->done, 0);
	}
	f->row = *row - 1;
}

static void
visit(void *ctx, const Point *pt)
{
	Finder *f = ctx;
	const Pta *p = f->s->pta;
	InstId inst = pt->entry->inst;
	u8 *done = &f->done.at[f->row + pt->site];
	Touch touch[2];
	u32 n;

	if (*done || (pt->entry->thread == 1 && set_empty(order_running(f->e->order, pt->order))))
		return;
	*done = 1;
	n = access_touches(p->ir, pt->ins, touch);
	for (u32 i = 0; i < n; i++)
		if (touch[i].flags & ACC_WRITE &&
		    !fresh_access(f->e->fresh, inst, pt->entry->fresh, pt->ins, i))
			note_set(f, pta_pts(p, inst, touch[i].addr), touch[i].size);
}

Stable *
stable_solve(Arena *a, Entries *e)
{
	Stable *s = arena_new(a, Stable);
	Finder f = {.s = s, .e = e};

	*s = (Stable){.arena = a, .pta = e->t->pta, .complete = e->complete};
	intern_init(&f.sets, e->arena);
	intern_init(&f.seen, e->arena);
	vec_push(a, &s->at, (Written){0});
	for (u32 i = 1; i < e->at.n; i++) {
		if (e->at.at[i].dead)
			continue;
		take_row(&f, &e->at.at[i]);
		entries_walk(e, &e->at.at[i], SITE_TOUCH, visit, &f);
	}
	return s;
}

bool
stable_at(const void *stable, InstId inst, Val addr, u32 bytes)
{
	const Stable *s = stable;
	const Pta *p = s->pta;
	const Set *pts = pta_pts(p, inst, addr);

	if (set_empty(pts) || !s->complete)
		return false;
	SET_FOR (it, pts) {
		ObjId o = pta_slot(p, it.x)->obj;
		if (pta_obj(p, o)->kind == OBJ_EXTERN)
			return false;
		for (u32 w = map_get(&s->head, o); w; w = s->at.at[w].next)
			if (pta_overlap(p, it.x, bytes, s->at.at[w].slot, s->at.at[w].size))
				return false;
	}
	return true;
}

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
	Entries *e;
	Intern sets; /* of slots that were written, by where they are kept, and size */
	Intern seen;
	Map head; /* ObjId -> index of its first Written */
	Vec(Written) at;
};

static void
note_slot(Stable *s, SlotId slot, u64 size)
{
	struct {
		u64 size;
		u64 slot;
	} key = {size, slot};
	u32 before = intern_count(&s->seen), *head;

	intern_bytes(&s->seen, &key, sizeof key);
	if (intern_count(&s->seen) == before)
		return;
	head = map_at(s->arena, &s->head, pta_slot(s->e->t->pta, slot)->obj);
	vec_push(s->arena, &s->at, (Written){slot, size, *head});
	*head = s->at.n - 1;
}

/* The pointers of a large program share their sets: each is noted once. */
static void
note_set(Stable *s, const Set *pts, u64 size)
{
	struct {
		const Set *pts;
		u64 size;
	} key = {pts, size};
	u32 before = intern_count(&s->sets);

	intern_bytes(&s->sets, &key, sizeof key);
	if (intern_count(&s->sets) == before)
		return;
	SET_FOR (it, pts)
		note_slot(s, it.x, size);
}

static void
visit(void *ctx, const Point *pt)
{
	Stable *s = ctx;
	const Pta *p = s->e->t->pta;
	InstId inst = pt->entry->inst;
	Touch touch[2];
	u32 n = access_touches(p->ir, pt->ins, touch);

	for (u32 i = 0; i < n; i++) {
		if (!(touch[i].flags & ACC_WRITE))
			continue;
		if (pt->entry->thread == 1 && set_empty(order_running(s->e->order, pt->order)))
			continue;
		if (fresh_access(s->e->fresh, inst, pt->entry->fresh, pt->ins, i))
			continue;
		note_set(s, pta_pts(p, inst, touch[i].addr), touch[i].size);
	}
}

Stable *
stable_solve(Arena *a, Entries *e)
{
	Stable *s = arena_new(a, Stable);

	s->arena = a;
	s->e = e;
	intern_init(&s->sets, a);
	intern_init(&s->seen, a);
	vec_push(a, &s->at, (Written){0});
	for (u32 i = 1; i < e->at.n; i++)
		if (!e->at.at[i].dead)
			entries_walk(e, &e->at.at[i], visit, s);
	return s;
}

bool
stable_at(const void *stable, InstId inst, Val addr, u32 bytes)
{
	const Stable *s = stable;
	const Pta *p = s->e->t->pta;
	const Set *pts = pta_pts(p, inst, addr);

	if (set_empty(pts) || !s->e->complete)
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

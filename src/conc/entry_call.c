/* entry_call.c - see entry_call.h.
 *
 * Entries of an instance that differ only in the locks held make the same calls, with the same
 * order and the same fresh arguments; those that differ in everything but the locks pass on the
 * same locks.  There are several of each, the more the larger the program, and entries are found
 * twice, the first time without locks: so both are kept by what they depend on, up to a bound on
 * memory behind which they are found anew. */
#include "conc/entry_call.h"

enum { MOST = 4 << 20 }; /* calls, and locksets, that are kept */

typedef struct Row {
	u32 first, n;
} Row;

struct EntryCalls {
	Arena *arena;
	Intern known;  /* of RowKeys: the row plus 1 */
	Vec(Row) rows; /* of at */
	Vec(EntryCall) at;
	Vec(EntryCall) once; /* a row that is not kept */
	Map held_of;         /* (instance, lockset) -> its first in held plus 1 */
	VecU32 held;         /* for each edge of the instance: as find_held gives it, 0 not asked */
};

typedef struct RowKey {
	InstId inst;
	ThreadId thread;
	OrderId order;
	FreshMask fresh;
} RowKey;

EntryCalls *
entry_calls_new(Arena *a)
{
	EntryCalls *c = arena_new(a, EntryCalls);

	c->arena = a;
	intern_init(&c->known, a);
	return c;
}

static void
see_call(void *ctx, const Point *pt)
{
	Entries *e = ctx;
	EntryCalls *c = e->calls;
	const Pta *p = e->t->pta;
	const Entry *en = pt->entry;
	u32 n;
	const Edge *edge = pta_targets(p, en->inst, pt->ins, &n);

	for (u32 i = 0; i < n; i++) {
		EntryCall call = {.edge = (u32)(&edge[i] - p->edges.at)};
		if (edge[i].fork || set_has(&e->t->skipped[en->thread], call.edge))
			continue;
		call.order = order_entry(e->order, en->thread, edge[i].to, pt->order);
		call.fresh = fresh_enter(e->fresh, &edge[i], en->fresh);
		if (call.order)
			vec_push(c->arena, &c->once, call);
	}
}

const EntryCall *
entry_calls(Entries *e, const Entry *en, u32 *n)
{
	EntryCalls *c = e->calls;
	RowKey key = {en->inst, en->thread, en->order, en->fresh};
	u32 row = intern_find(&c->known, &key, sizeof key);

	if (row) {
		*n = c->rows.at[row - 1].n;
		return c->at.at + c->rows.at[row - 1].first;
	}
	c->once.n = 0;
	entries_walk(e, en, SITE_CALL, see_call, e);
	*n = c->once.n;
	if (c->at.n + *n > MOST)
		return c->once.at;
	intern_bytes(&c->known, &key, sizeof key);
	vec_push(c->arena, &c->rows, (Row){c->at.n, *n});
	for (u32 i = 0; i < *n; i++)
		vec_push(c->arena, &c->at, c->once.at[i]);
	return c->once.at;
}

/* A lockset, and whether the caller holds more: (LocksetId + 1) * 2 + more. */
static u32
find_held(Entries *e, const Entry *en, u32 edge)
{
	const Edge *call = &e->t->pta->edges.at[edge];
	LocksetId held = entries_held(e, &(Point){.entry = en, .ins = call->ins});
	LocksetId entered = held ? locks_enter(e->locks, call, held) : 0;
	bool more =
	    held && held != entered && locks_count(e->locks, held) > locks_count(e->locks, entered);

	return (entered + 1) * 2 + more;
}

static u32
held_at(Entries *e, const Entry *en, u32 edge)
{
	EntryCalls *c = e->calls;
	const Inst *inst = pta_inst(e->t->pta, en->inst);
	u64 key = map_pair(en->inst, en->held);
	u32 first = map_get(&c->held_of, key), *held;

	if (!first && c->held.n + inst->nedge > MOST)
		return find_held(e, en, edge);
	if (!first) {
		first = c->held.n + 1;
		map_put(c->arena, &c->held_of, key, first);
		for (u32 i = 0; i < inst->nedge; i++)
			vec_push(c->arena, &c->held, 0);
	}
	held = &c->held.at[first - 1 + edge - inst->edge];
	if (!*held)
		*held = find_held(e, en, edge);
	return *held;
}

LocksetId
entry_call_held(Entries *e, const Entry *en, u32 edge, bool *forgets)
{
	u32 held = held_at(e, en, edge);

	*forgets = held % 2;
	return held / 2 - 1;
}

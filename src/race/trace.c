/* trace.c - by which calls of the program an access in a library was reached, with just
 * the locks that it holds.
 *
 * The shortest call path may be another one than that on which a lock is missing: what
 * is shown must be a call that races.  States of functions are entries (entry.h).  From
 * those entries of the access's function in which it holds what the access says, the search
 * goes up to each entry of a caller that hands this one down, breadth first, until the
 * caller is the program's own.  An entry is visited once and no more than STATES of them,
 * so it ends; where it finds nothing, entries having been merged, the shortest path stands
 * for all. */
#include "race/race_int.h"

#include "conc/entry.h"

enum { STATES = 256 };

typedef struct State {
	u32 entry;
	u32 edge; /* by which it leads to the next one, plus 1; 0: the access is in it */
	u32 next;
} State;

struct Traces {
	Races *r;
	Map first; /* InstId -> index of its first entry */
	u32 *next; /* [entry]: the next one of the same instance */
	Map found; /* access + 1 -> index + 1 in: */
	Vec(Trace) traces;
};

struct Traces *
traces_new(Races *r)
{
	struct Traces *t = arena_new(r->arena, struct Traces);
	const Entries *e = r->conc->entries;

	t->r = r;
	if (!e)
		return t;
	t->next = arena_array(r->arena, u32, e->at.n + 1);
	for (u32 i = e->at.n; i-- > 1;) {
		u32 *first;
		if (e->at.at[i].dead)
			continue;
		first = map_at(r->arena, &t->first, e->at.at[i].inst);
		t->next[i] = *first;
		*first = i;
	}
	return t;
}

static LocksetId
held_before(const Races *r, const Entry *e, InsId ins)
{
	Locks *l = r->conc->locks;

	return locks_held(l, e->inst, e->held, locks_before(l, e->inst, ins));
}

typedef struct Search {
	struct Traces *t;
	Vec(State) states;
	Set seen;
	Arena scratch;
} Search;

static void
add(Search *s, u32 entry, u32 edge, u32 next)
{
	if (s->states.n < STATES && set_add(&s->scratch, &s->seen, entry))
		vec_push(&s->scratch, &s->states, (State){entry, edge, next});
}

/* The entries of the edge's caller, in the same thread, that hand the entry down. */
static void
add_callers(Search *s, u32 at, u32 edge)
{
	const Races *r = s->t->r;
	const Entries *es = r->conc->entries;
	const Edge *e = &r->pta->edges.at[edge];
	const Entry *to = &es->at.at[s->states.at[at].entry];

	for (u32 i = map_get(&s->t->first, e->from); i; i = s->t->next[i]) {
		const Entry *from = &es->at.at[i];
		if (from->thread == to->thread &&
		    locks_enter(r->conc->locks, e, held_before(r, from, e->ins)) == to->held)
			add(s, i, edge + 1, at);
	}
}

/* The calls from the state down to the access. */
static Trace
calls_down(const Search *s, u32 at)
{
	Trace t = {0};

	for (; s->states.at[at].edge; at = s->states.at[at].next) {
		if (t.n == TRACED)
			return (Trace){0};
		t.edge[t.n++] = s->states.at[at].edge - 1;
	}
	return t;
}

static Trace
find(struct Traces *t, const Access *a)
{
	const Races *r = t->r;
	const Entries *es = r->conc->entries;
	Search s = {.t = t};
	Trace found = {0};

	arena_init(&s.scratch, r->arena->budget);
	for (u32 i = map_get(&t->first, a->inst); i; i = t->next[i])
		if (es->at.at[i].thread == a->thread &&
		    held_before(r, &es->at.at[i], a->ins) == a->held)
			add(&s, i, 0, 0);
	for (u32 k = 0; k < s.states.n && !found.n; k++) {
		InstId inst = es->at.at[s.states.at[k].entry].inst;
		const Inst *in = pta_inst(r->pta, inst);
		if (!(pta_fn(r->pta, inst)->flags & (FN_LIBRARY | FN_SYNTHETIC))) {
			found = calls_down(&s, k);
			continue;
		}
		for (u32 c = in->caller; c < in->caller + in->ncaller; c++)
			if (!r->pta->edges.at[r->pta->callers.at[c]].fork)
				add_callers(&s, k, r->pta->callers.at[c]);
	}
	arena_release(&s.scratch);
	return found;
}

const Trace *
trace_of(struct Traces *t, u32 access)
{
	u32 *at;

	/* Where there are very many pairs, that would take too long. */
	if (!t->next || t->r->result->abridged || !use_is_library(t->r, access))
		return NULL;
	at = map_at(t->r->arena, &t->found, (u64)access + 1);
	if (!*at) {
		vec_push(t->r->arena, &t->traces, find(t, access_at(t->r, access)));
		*at = t->traces.n;
	}
	return t->traces.at[*at - 1].n ? &t->traces.at[*at - 1] : NULL;
}

/* guards.c - which guards keep two accesses apart.
 *
 * Two guards do if they have a fact in common that one of them has exclusively,
 * or one has the opposite of a fact of the other's (conc/lock.h).  So the guards that g excludes are those that hold one of its
 * facts, all of them or the exclusive ones: a union of one bit set for each
 * fact, and nobody compares guards pair by pair.  Guards that exclude the same
 * ones are one class. */
#include "race/guards.h"

typedef struct Holders { /* of one fact: indices of guards */
	Set all, exclusive;
} Holders;

struct Guards {
	Arena *arena;
	const Locks *locks;
	Map index;      /* GuardId -> index plus 1 */
	Vec(Set) facts; /* [guard] */
	u32 nfact;
	SetPool sets;
	u32 *class;     /* [guard]: the first that is like it */
	SetId *rows[2]; /* [same slot][guard]: those that it excludes */
};

Guards *
guards_new(Arena *a, const Locks *l)
{
	Guards *g = arena_new(a, Guards);

	g->arena = a;
	g->locks = l;
	setpool_init(&g->sets, a);
	return g;
}

bool
guards_has(const Guards *g, GuardId id)
{
	return map_get(&g->index, id);
}

void
guards_add(Guards *g, GuardId id, const Set *facts)
{
	vec_push(g->arena, &g->facts, *facts);
	map_put(g->arena, &g->index, id, g->facts.n);
	if (facts->n)
		g->nfact = MAX(g->nfact, facts->w[facts->n - 1].index * 32 + 32);
}

static Holders *
find_holders(const Guards *g, Arena *scratch)
{
	Holders *by_fact = arena_array(scratch, Holders, g->nfact);

	for (u32 i = 0; i < g->facts.n; i++)
		SET_FOR (it, &g->facts.at[i]) {
			Holders *h = &by_fact[it.x / 2];
			set_add(scratch, &h->all, i);
			if (it.x % 2)
				set_add(scratch, &h->exclusive, i);
		}
	return by_fact;
}

/* The guards that the i-th excludes, where the two cells are in one slot, or
 * wherever they are. */
static SetId
find_row(Guards *g, const Holders *by_fact, u32 i, bool same_slot, Arena *scratch)
{
	Set row = {0};
	SetId id;

	SET_FOR (it, &g->facts.at[i]) {
		const Holders *h = &by_fact[it.x / 2];
		u32 opposite;
		if (same_slot || !g->locks || locks_fact_anywhere(g->locks, it.x / 2))
			set_or(scratch, &row, it.x % 2 ? &h->all : &h->exclusive);
		opposite = g->locks ? locks_fact_opposite(g->locks, it.x / 2) : 0;
		if (opposite && opposite < g->nfact)
			set_or(scratch, &row, &by_fact[opposite].all);
	}
	id = setpool_intern(&g->sets, &row);
	set_recycle(scratch, &row);
	return id;
}

void
guards_solve(Guards *g)
{
	Arena scratch;
	Holders *by_fact;
	Map classes = {0}; /* the two rows -> guard plus 1 */

	arena_init(&scratch, g->arena->budget);
	by_fact = find_holders(g, &scratch);
	g->class = arena_array(g->arena, u32, g->facts.n + 1);
	for (u32 same = 0; same < 2; same++)
		g->rows[same] = arena_array(g->arena, SetId, g->facts.n + 1);
	for (u32 i = 0; i < g->facts.n; i++) {
		u32 *first;
		for (u32 same = 0; same < 2; same++)
			g->rows[same][i] = find_row(g, by_fact, i, same, &scratch);
		first = map_at(&scratch, &classes, map_pair(g->rows[0][i], g->rows[1][i]) + 1);
		if (!*first)
			*first = i + 1;
		g->class[i] = *first - 1;
	}
	arena_release(&scratch);
}

u32
guards_class(const Guards *g, GuardId id)
{
	return g->class[map_get(&g->index, id) - 1];
}

const Set *
guards_excluded(const Guards *g, u32 class, bool same_slot)
{
	return setpool_get(&g->sets, g->rows[same_slot][class]);
}

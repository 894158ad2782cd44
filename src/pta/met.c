/* met.c - what shifts, loads and stores have made of sets of slots.
 *
 * The slots that a shift leads to, and the nodes of the cells at a slot, are made when they are
 * first asked for, and are the same for all who ask again: until an object folds, and its slots
 * become one.  So both are kept for each set that a constraint has met, and for each kind of
 * constraint.  But not in Java programs, where whether a slot has memory depends on more, and few
 * constraints shift.
 *
 * There are at most as many as constraints have met sets, so solving still ends. */
#include "pta/pta_int.h"

#include <string.h>

u32
con_hash(const Con *c)
{
	u64 kind = (u64)c->kind << 2 | (u64)c->number << 1 | c->index;
	u64 rest = map_pair(c->arg, c->type);

	return (u32)hash_u64(hash_u64(rest ^ kind << 56) ^ (u64)c->off ^ (u64)c->len << 24);
}

bool
con_alike(const Con *c, const Con *d)
{
	return c->kind == d->kind && c->index == d->index && c->number == d->number &&
	       c->arg == d->arg && c->len == d->len && c->type == d->type && c->off == d->off;
}

/* The place for what c makes of the set, new or old. */
static Met *
met_at(Solver *s, const Con *c, SetId set)
{
	u64 key = map_pair(set, con_hash(c));
	u32 id;

	for (; (id = map_get(&s->met_index, key)); key++) {
		Met *m = &s->met.at[id - 1];
		if (m->set == set && con_alike(&m->con, c))
			return m;
	}
	vec_push(s->a, &s->met, (Met){.con = *c, .set = set, .folded = UINT32_MAX});
	map_put(s->a, &s->met_index, key, s->met.n);
	return &s->met.at[s->met.n - 1];
}

bool
met_before(Solver *s, const Con *c, const Set *set, Met **m)
{
	*m = met_at(s, c, setpool_intern(&s->met_sets, set));
	if ((*m)->folded == s->p->folded)
		return true;
	(*m)->folded = s->p->folded;
	(*m)->places.n = 0;
	set_clear(&(*m)->got);
	return false;
}

void
met_forget(Solver *s)
{
	for (u32 k = 0; k < s->met.n; k++) {
		Met *m = &s->met.at[k];
		set_recycle(s->a, &m->got);
		arena_recycle(s->a, m->places.at, m->places.cap * sizeof *m->places.at);
	}
	for (SetId k = 0; k < s->met_sets.n; k++)
		set_recycle(s->a, &s->met_sets.sets[k]);
	arena_recycle(s->a, s->met.at, s->met.cap * sizeof *s->met.at);
	memset(&s->met, 0, sizeof s->met);
}

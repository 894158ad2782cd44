/* bundle.c - pointers that many loads and stores go through.
 *
 * A shared container hands all that it holds to the callbacks of all modules: each of these
 * loads from, and stores to, the same many places, an edge for each of them and each place.
 * So those that meet the same large set of slots have one node, which stands between them and
 * the places: what the places hold flows to it and from it to the registers of the loads;
 * likewise against it for stores.  Each place still gets, and gives, just what it would by edges
 * of its own, as each load and store has met the whole of the set: the solution is the same.
 *
 * Smaller sets cost little, and it depends on the order in which slots are made which objects
 * fold: what is met in another order is told apart otherwise.
 * A set is kept only when it is met for the second time: most are never met again.  There
 * are at most as many bundles as constraints have met sets, so solving still ends. */
#include "pta/pta_int.h"

enum { FEW_WORDS = FIRST_CAP(64) };         /* of a set that is not worth it */
enum { BUNDLE_ONCE = 1, BUNDLE_FIRST = 2 }; /* met once; the first that is kept */

static u64
hash_met(const Con *c, const Set *set)
{
	return hash_u64(set_hash(set) ^ hash_u64(map_pair(c->kind | c->number << 8, c->arg)));
}

static bool
is_of(const Bundle *b, const Con *c, const Set *set)
{
	return b->kind == c->kind && b->number == c->number && b->arg == c->arg &&
	       set_eq(&b->set, set);
}

bool
bundle_may(const Set *set)
{
	return set->n >= FEW_WORDS;
}

bool
bundle_find(Solver *s, const Con *c, const Set *set, NodeId *node)
{
	u32 *id;
	Bundle b = {.kind = c->kind, .number = c->number, .arg = c->arg};

	*node = 0;
	if (!bundle_may(set) ||
	    (c->kind != CON_LOAD && c->kind != CON_NUMBER && c->kind != CON_STORE))
		return false;
	id = map_at(s->a, &s->bundle_index, hash_met(c, set));
	if (*id >= BUNDLE_FIRST) {
		const Bundle *old = &s->bundle.at[*id - BUNDLE_FIRST];
		*node = is_of(old, c, set) ? old->node : 0;
		return false;
	}
	if (!*id) {
		*id = BUNDLE_ONCE;
		return false;
	}
	*id = s->bundle.n + BUNDLE_FIRST;
	set_copy(s->a, &b.set, set);
	*node = b.node = node_new(s);
	vec_push(s->a, &s->bundle, b);
	return true;
}

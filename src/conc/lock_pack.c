/* lock_pack.c - relative lock states as bytes.
 *
 * A state has room for many names and nearly always has few.  What counts of it
 * is packed: interned where it stays, and in memory that the next state at the
 * same place takes over while an instance is solved. */
#include "conc/lock_int.h"

enum { SOLVED_BYTES = 32 << 20 }; /* of states that are kept */
enum { MANY_LISTS = 1 << 14 };    /* of names, which are forgotten where no state is kept */

#include <string.h>

void
rel_same(Rel *r)
{
	r->n = r->ncond = r->nfact = 0;
	r->lost = 0;
	r->all = r->dead = 0;
}

void
rel_copy(Rel *to, const Rel *from)
{
	memcpy(to, from, offsetof(Rel, name));
	memcpy(to->name, from->name, from->n * sizeof *from->name);
	memcpy(to->cond, from->cond, from->ncond * sizeof *from->cond);
	memcpy(to->fact, from->fact, from->nfact * sizeof *from->fact);
}

/* How many bytes of r count. */
static size_t
packed(const Rel *r)
{
	return offsetof(Rel, name) + r->n * sizeof *r->name + r->ncond * sizeof *r->cond +
	       r->nfact * sizeof *r->fact;
}

/* Writes what counts of r. */
static void
pack(const Rel *r, char *at)
{
	memcpy(at, r, offsetof(Rel, name));
	at += offsetof(Rel, name);
	memcpy(at, r->name, r->n * sizeof *r->name);
	at += r->n * sizeof *r->name;
	memcpy(at, r->cond, r->ncond * sizeof *r->cond);
	at += r->ncond * sizeof *r->cond;
	memcpy(at, r->fact, r->nfact * sizeof *r->fact);
}

static void
unpack(const char *at, Rel *out)
{
	memcpy(out, at, offsetof(Rel, name));
	at += offsetof(Rel, name);
	memcpy(out->name, at, out->n * sizeof *out->name);
	at += out->n * sizeof *out->name;
	memcpy(out->cond, at, out->ncond * sizeof *out->cond);
	at += out->ncond * sizeof *out->cond;
	memcpy(out->fact, at, out->nfact * sizeof *out->fact);
}

/* The names of a state while its instance is solved: most blocks have the same, and they are
 * most of it. */
static const char *
names_of(const Locks *l, const RelPack *x)
{
	return intern_get(&l->namelists, x->names);
}

static bool
has_names(const Locks *l, const RelPack *x, const Rel *r)
{
	size_t n = r->n * sizeof *r->name;

	return intern_len(&l->namelists, x->names) == n && memcmp(names_of(l, x), r->name, n) == 0;
}

/* How many bytes of r lie beside its names. */
static size_t
beside(const Rel *r)
{
	return packed(r) - r->n * sizeof *r->name;
}

void
rel_put(Locks *l, RelPack *to, const Rel *r)
{
	size_t n = beside(r), conds = r->ncond * sizeof *r->cond;
	char *at;

	assert(!r->dead);
	if (n > to->cap) {
		arena_recycle(&l->scratch, to->at, to->cap);
		to->cap = (u32)arena_room(n);
		to->at = arena_alloc(&l->scratch, to->cap);
	}
	if (!has_names(l, to, r))
		to->names = r->n ? intern_bytes(&l->namelists, r->name, r->n * sizeof *r->name) : 0;
	at = to->at;
	memcpy(at, r, offsetof(Rel, name));
	at += offsetof(Rel, name);
	memcpy(at, r->cond, conds);
	memcpy(at + conds, r->fact, r->nfact * sizeof *r->fact);
}

void
rel_take(const Locks *l, const RelPack *from, Rel *out)
{
	const char *at = from->at;

	if (!at) {
		rel_same(out);
		out->dead = 1;
		return;
	}
	memcpy(out, at, offsetof(Rel, name));
	at += offsetof(Rel, name);
	memcpy(out->name, names_of(l, from), out->n * sizeof *out->name);
	memcpy(out->cond, at, out->ncond * sizeof *out->cond);
	at += out->ncond * sizeof *out->cond;
	memcpy(out->fact, at, out->nfact * sizeof *out->fact);
}

bool
rel_is(const Locks *l, const RelPack *x, const Rel *r)
{
	const char *at = x->at;

	if (r->dead || !at)
		return r->dead && !at;
	if (memcmp(at, r, offsetof(Rel, name)) != 0 || !has_names(l, x, r)) /* the counts too */
		return false;
	at += offsetof(Rel, name);
	if (memcmp(at, r->cond, r->ncond * sizeof *r->cond) != 0)
		return false;
	at += r->ncond * sizeof *r->cond;
	return memcmp(at, r->fact, r->nfact * sizeof *r->fact) == 0;
}

RelId
rel_intern(Locks *l, const Rel *r)
{
	char bytes[sizeof(Rel)];

	if (r->dead)
		return REL_DEAD;
	pack(r, bytes);
	return intern_bytes(&l->rels, bytes, packed(r));
}

void
rel_get(const Locks *l, RelId id, Rel *out)
{
	if (id != REL_DEAD) {
		unpack(intern_get(&l->rels, id), out);
	} else {
		rel_same(out);
		out->dead = 1;
	}
}

bool
rel_everywhere(const Locks *l, RelId id)
{
	const char *at = intern_get(&l->rels, id) + offsetof(Rel, name);
	RelName last;
	u32 n;

	memcpy(&n, at - offsetof(Rel, name) + offsetof(Rel, n), sizeof n);
	if (!n)
		return true;
	memcpy(&last, at + (n - 1) * sizeof last, sizeof last); /* paths come behind slots */
	return last.name.kind == NAME_SLOT;
}

/* ---- the states of an instance's blocks --------------------------------- */

size_t
states_bytes(const RelPack *in, u32 n)
{
	size_t bytes = 0;

	for (u32 b = 0; b < n; b++)
		bytes += in[b].cap;
	return bytes;
}

void
states_drop(Locks *l, InstId inst, RelPack *in, u32 n)
{
	l->solved[inst] = NULL;
	l->solved_bytes -= states_bytes(in, n);
	for (u32 b = 0; b < n; b++)
		arena_recycle(&l->scratch, in[b].at, in[b].cap);
	arena_recycle(&l->scratch, in, n * sizeof *in);
}

void
states_keep(Locks *l, InstId inst, RelPack *in, u32 n)
{
	l->solved[inst] = in;
	l->solved_at[inst] = l->step;
	if (l->solved_bytes >= SOLVED_BYTES)
		states_drop(l, inst, in, n);
}

void
states_begin(Locks *l)
{
	if (l->solved_bytes || intern_count(&l->namelists) < MANY_LISTS)
		return;
	arena_release(&l->naming);
	intern_init(&l->namelists, &l->naming);
}

/* set.h - sparse sets of u32, and interned ones.
 *
 * A set is a sorted array of (word index, 64 bits).  Points-to and thread
 * sets are small and clustered, and nearly all operations are unions and
 * subset tests of whole sets, which are linear merges here. */
#ifndef BASE_SET_H
#define BASE_SET_H

#include "arena.h"
#include "map.h"

typedef struct SetWord {
	u64 bits;
	u32 index; /* of the word: the element divided by 64 */
} SetWord;

/* A zeroed Set is empty. */
typedef struct Set {
	SetWord *w;
	u32 n, cap;
} Set;

bool set_has(const Set *s, u32 x);
/* These return whether the set changed. */
bool set_add(Arena *a, Set *s, u32 x);
bool set_del(Set *s, u32 x);
bool set_or(Arena *a, Set *s, const Set *t);
/* s becomes s + (t - minus). */
bool set_or_minus(Arena *a, Set *s, const Set *t, const Set *minus);
bool set_and(Set *s, const Set *t);
bool set_minus(Set *s, const Set *t);

bool set_eq(const Set *s, const Set *t);
bool set_meets(const Set *s, const Set *t);  /* a common element? */
bool set_within(const Set *s, const Set *t); /* a subset? */
u32 set_count(const Set *s);
/* The smallest element of a set that is not empty. */
u32 set_first(const Set *s);
u64 set_hash(const Set *s);
void set_copy(Arena *a, Set *to, const Set *from);

static inline bool
set_empty(const Set *s)
{
	return s->n == 0;
}

/* Has it just one element? */
static inline bool
set_single(const Set *s)
{
	return s->n == 1 && !(s->w[0].bits & (s->w[0].bits - 1));
}

/* Keeps the memory. */
static inline void
set_clear(Set *s)
{
	s->n = 0;
}

/* For the union of many sets: adds s to a row of bits; makes the empty set s of the
 * words of a row, which is then 0. */
void set_to_row(const Set *s, u64 *row);
void set_from_row(Arena *a, Set *s, u64 *row, u32 words);

void set_recycle(Arena *a, Set *s);

/* A walk over the elements in rising order; the set must not change, but an interned one may be
 * walked while others are interned.
 *
 *	SET_FOR (it, &set) use(it.x);
 */
typedef struct SetIter {
	const SetWord *w;
	u64 left;
	u32 n, word;
	u32 x; /* the element */
} SetIter;

static inline SetIter
set_iter(const Set *s)
{
	return (SetIter){s->w, s->n ? s->w[0].bits : 0, s->n, 0, 0};
}

static inline bool
set_next(SetIter *it)
{
	while (!it->left) {
		if (it->word + 1 >= it->n)
			return false;
		it->left = it->w[++it->word].bits;
	}
	it->x = it->w[it->word].index * 64 + (u32)__builtin_ctzll(it->left);
	it->left &= it->left - 1;
	return true;
}

#define SET_FOR(it, s) for (SetIter it = set_iter(s); set_next(&it);)

/* Interned sets: equal sets have equal ids; 0 is the empty set. */
typedef u32 SetId;
typedef struct SetPool {
	Arena *arena;
	Set *sets; /* sets[id] */
	u32 n, cap;
	Map by_hash; /* hash -> id, chained by next */
	u32 *next;
	u32 next_cap;
	Map unions, meets; /* memo of pairs */
} SetPool;

void setpool_init(SetPool *p, Arena *a);
SetId setpool_intern(SetPool *p, const Set *s); /* copies s */
const Set *setpool_get(const SetPool *p, SetId id);
SetId setpool_union(SetPool *p, SetId x, SetId y);
SetId setpool_meet(SetPool *p, SetId x, SetId y);
SetId setpool_add(SetPool *p, SetId x, u32 element);
SetId setpool_del(SetPool *p, SetId x, u32 element);

#endif

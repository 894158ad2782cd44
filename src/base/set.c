/* set.c - see set.h.  Between calls: words are sorted by index, none is 0. */
#include "set.h"
#include "vec.h"

#include <string.h>

/* The position of word `index`, or where it would go. */
static u32
find_word(const Set *s, u32 index)
{
	const SetWord *w = s->w;
	u32 n = s->n;

	if (!n)
		return 0;
	if (w[n - 1].index <= index) /* sets are often filled in order */
		return n - (w[n - 1].index == index);
	/* no branch that could be guessed wrong */
	for (u32 half; n > 1; n -= half) {
		half = n / 2;
		w += w[half - 1].index < index ? half : 0;
	}
	return (u32)(w - s->w);
}

static void
reserve(Arena *a, Set *s, u32 n)
{
	u32 cap = s->cap;

	if (n <= cap)
		return;
	if (!cap)
		cap = FIRST_CAP(2);
	while (cap < n)
		cap *= 2;
	s->w = arena_grow(a, s->w, s->cap * sizeof *s->w, cap * sizeof *s->w);
	s->cap = cap;
}

bool
set_has(const Set *s, u32 x)
{
	u32 i = find_word(s, x / 64);

	return i < s->n && s->w[i].index == x / 64 && (s->w[i].bits >> (x % 64) & 1);
}

bool
set_add(Arena *a, Set *s, u32 x)
{
	u32 i = find_word(s, x / 64);
	u64 bit = (u64)1 << (x % 64);

	if (i < s->n && s->w[i].index == x / 64) {
		bool was = (s->w[i].bits & bit) != 0;
		s->w[i].bits |= bit;
		return !was;
	}
	reserve(a, s, s->n + 1);
	memmove(s->w + i + 1, s->w + i, (s->n - i) * sizeof *s->w);
	s->w[i] = (SetWord){bit, x / 64};
	s->n++;
	return true;
}

bool
set_del(Set *s, u32 x)
{
	u32 i = find_word(s, x / 64);
	u64 bit = (u64)1 << (x % 64);

	if (i >= s->n || s->w[i].index != x / 64 || !(s->w[i].bits & bit))
		return false;
	s->w[i].bits &= ~bit;
	if (!s->w[i].bits) {
		s->n--;
		memmove(s->w + i, s->w + i + 1, (s->n - i) * sizeof *s->w);
	}
	return true;
}

/* The first word from j on that does not come before `index`, by steps that
 * double: often one set is much larger than the other. */
static inline u32
seek(const Set *s, u32 j, u32 index)
{
	u32 step = 1, hi;

	if (j >= s->n || s->w[j].index >= index)
		return j;
	while (j + step < s->n && s->w[j + step].index < index) {
		j += step;
		step *= 2;
	}
	hi = MIN(j + step, s->n); /* w[j] comes before, w[hi] does not */
	while (hi - j > 1) {
		u32 mid = (j + hi) / 2;
		if (s->w[mid].index < index)
			j = mid;
		else
			hi = mid;
	}
	return hi;
}

/* The bits of t - minus in word i of t; *j is a cursor into minus. */
static inline u64
bits_minus(const Set *t, u32 i, const Set *minus, u32 *j)
{
	u64 bits = t->w[i].bits;

	if (!minus)
		return bits;
	*j = seek(minus, *j, t->w[i].index);
	if (*j < minus->n && minus->w[*j].index == t->w[i].index)
		bits &= ~minus->w[*j].bits;
	return bits;
}

bool
set_or_minus(Arena *a, Set *s, const Set *t, const Set *minus)
{
	u32 extra = 0, i = 0, j = 0;
	bool changed = false;

	assert(minus != s); /* it would change under our hands */
	/* First pass: or into the words that s has, count those that it lacks. */
	for (u32 k = 0; k < t->n; k++) {
		u64 bits = bits_minus(t, k, minus, &j);
		if (!bits)
			continue;
		i = seek(s, i, t->w[k].index);
		if (i < s->n && s->w[i].index == t->w[k].index) {
			changed |= (bits & ~s->w[i].bits) != 0;
			s->w[i].bits |= bits;
		} else {
			extra++;
		}
	}
	if (!extra)
		return changed;
	/* Second pass: insert them, merging from the back. */
	reserve(a, s, s->n + extra);
	i = s->n;
	s->n += extra;
	for (u32 k = t->n, to = s->n; extra; k--) {
		u64 bits;
		u32 index = t->w[k - 1].index;
		while (i && s->w[i - 1].index > index)
			s->w[--to] = s->w[--i];
		if (i && s->w[i - 1].index == index)
			continue;
		j = minus ? find_word(minus, index) : 0;
		bits = bits_minus(t, k - 1, minus, &j);
		if (!bits)
			continue;
		s->w[--to] = (SetWord){bits, index};
		extra--;
	}
	return true;
}

bool
set_or(Arena *a, Set *s, const Set *t)
{
	return set_or_minus(a, s, t, NULL);
}

bool
set_and(Set *s, const Set *t)
{
	u32 to = 0, j = 0;
	bool changed = false;

	for (u32 i = 0; i < s->n; i++) {
		u64 bits = 0;
		j = seek(t, j, s->w[i].index);
		if (j < t->n && t->w[j].index == s->w[i].index)
			bits = s->w[i].bits & t->w[j].bits;
		changed |= bits != s->w[i].bits;
		if (bits)
			s->w[to++] = (SetWord){bits, s->w[i].index};
	}
	s->n = to;
	return changed;
}

bool
set_minus(Set *s, const Set *t)
{
	u32 to = 0, j = 0;
	bool changed = false;

	for (u32 i = 0; i < s->n; i++) {
		u64 bits = bits_minus(s, i, t, &j);
		changed |= bits != s->w[i].bits;
		if (bits)
			s->w[to++] = (SetWord){bits, s->w[i].index};
	}
	s->n = to;
	return changed;
}

bool
set_eq(const Set *s, const Set *t)
{
	if (s->n != t->n)
		return false;
	for (u32 i = 0; i < s->n; i++)
		if (s->w[i].index != t->w[i].index || s->w[i].bits != t->w[i].bits)
			return false;
	return true;
}

bool
set_meets(const Set *s, const Set *t)
{
	for (u32 i = 0, j = 0; i < s->n && j < t->n;) {
		if (s->w[i].index < t->w[j].index)
			i = seek(s, i, t->w[j].index);
		else if (s->w[i].index > t->w[j].index)
			j = seek(t, j, s->w[i].index);
		else if (s->w[i++].bits & t->w[j++].bits)
			return true;
	}
	return false;
}

bool
set_within(const Set *s, const Set *t)
{
	u32 j = 0;

	for (u32 i = 0; i < s->n; i++)
		if (bits_minus(s, i, t, &j))
			return false;
	return true;
}

/* The bits that are set: added up in pairs, fours, bytes, and the bytes by a
 * product.  The compiler's own is a call where the machine may lack the instruction. */
static u32
count_bits(u64 x)
{
	x -= x >> 1 & 0x5555555555555555;
	x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
	x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return (u32)(x * 0x0101010101010101 >> 56);
}

u32
set_count(const Set *s)
{
	u32 n = 0;

	for (u32 i = 0; i < s->n; i++)
		n += count_bits(s->w[i].bits);
	return n;
}

u32
set_first(const Set *s)
{
	assert(s->n);
	return s->w[0].index * 64 + (u32)__builtin_ctzll(s->w[0].bits);
}

u64
set_hash(const Set *s)
{
	u64 h = s->n;

	/* one multiplication for each word: large sets are looked up often */
	for (u32 i = 0; i < s->n; i++) {
		h = (h ^ s->w[i].bits ^ (u64)s->w[i].index << 32) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	return hash_u64(h);
}

void
set_copy(Arena *a, Set *to, const Set *from)
{
	reserve(a, to, from->n);
	if (from->n)
		memcpy(to->w, from->w, from->n * sizeof *from->w);
	to->n = from->n;
}

void
set_to_row(const Set *s, u64 *row)
{
	for (u32 i = 0; i < s->n; i++)
		row[s->w[i].index] |= s->w[i].bits;
}

void
set_from_row(Arena *a, Set *s, u64 *row, u32 words)
{
	u32 n = 0;

	assert(set_empty(s));
	for (u32 i = 0; i < words; i++)
		n += row[i] != 0;
	reserve(a, s, n);
	for (u32 i = 0; i < words; i++)
		if (row[i])
			s->w[s->n++] = (SetWord){row[i], i};
	memset(row, 0, words * sizeof *row);
}

void
set_recycle(Arena *a, Set *s)
{
	arena_recycle(a, s->w, s->cap * sizeof *s->w);
	memset(s, 0, sizeof *s);
}

void
setpool_init(SetPool *p, Arena *a)
{
	memset(p, 0, sizeof *p);
	p->arena = a;
	p->sets = vec_room(a, p->sets, &p->cap, 1, sizeof *p->sets);
	p->next = vec_room(a, p->next, &p->next_cap, 1, sizeof *p->next);
	p->n = 1;
}

const Set *
setpool_get(const SetPool *p, SetId id)
{
	assert(id < p->n);
	return &p->sets[id];
}

SetId
setpool_intern(SetPool *p, const Set *s)
{
	u32 *head;

	if (set_empty(s))
		return 0;
	head = map_at(p->arena, &p->by_hash, set_hash(s));
	for (u32 id = *head; id; id = p->next[id])
		if (set_eq(&p->sets[id], s))
			return id;
	p->sets = vec_room(p->arena, p->sets, &p->cap, p->n + 1, sizeof *p->sets);
	p->next = vec_room(p->arena, p->next, &p->next_cap, p->n + 1, sizeof *p->next);
	p->sets[p->n] = (Set){0};
	set_copy(p->arena, &p->sets[p->n], s);
	p->next[p->n] = *head;
	*head = p->n;
	return p->n++;
}

/* Memoised x op y, with op a change of a copy of x by y; memo holds id + 1. */
static SetId
combine(SetPool *p, Map *memo, SetId x, SetId y, bool meet)
{
	u64 key = map_pair(MIN(x, y), MAX(x, y));
	u32 known = map_get(memo, key);
	Set s = {0};
	SetId id;

	if (known)
		return known - 1;
	set_copy(p->arena, &s, &p->sets[x]);
	if (meet)
		set_and(&s, &p->sets[y]);
	else
		set_or(p->arena, &s, &p->sets[y]);
	id = setpool_intern(p, &s);
	set_recycle(p->arena, &s);
	map_put(p->arena, memo, key, id + 1);
	return id;
}

SetId
setpool_union(SetPool *p, SetId x, SetId y)
{
	if (x == y || !y)
		return x;
	return x ? combine(p, &p->unions, x, y, false) : y;
}

SetId
setpool_meet(SetPool *p, SetId x, SetId y)
{
	if (x == y || !x || !y)
		return x == y ? x : 0;
	return combine(p, &p->meets, x, y, true);
}

SetId
setpool_add(SetPool *p, SetId x, u32 element)
{
	Set s = {0};
	SetId id;

	if (set_has(&p->sets[x], element))
		return x;
	set_copy(p->arena, &s, &p->sets[x]);
	set_add(p->arena, &s, element);
	id = setpool_intern(p, &s);
	set_recycle(p->arena, &s);
	return id;
}

SetId
setpool_del(SetPool *p, SetId x, u32 element)
{
	Set s = {0};
	SetId id;

	if (!set_has(&p->sets[x], element))
		return x;
	set_copy(p->arena, &s, &p->sets[x]);
	set_del(&s, element);
	id = setpool_intern(p, &s);
	set_recycle(p->arena, &s);
	return id;
}

/* set.c - see set.h.  Between calls: words are sorted by index, none is 0. */
#include "set.h"
#include "vec.h"

#include <string.h>

enum { NEAR = 3 }; /* words that are looked at one by one */
enum { FEW = 64 }; /* of a set whose new words need no block of their own */

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

static RARE void
make_room(Arena *a, Set *s, u32 n)
{
	u32 cap = s->cap;

	if (!cap)
		cap = FIRST_CAP(2);
	while (cap < n)
		cap *= 2;
	s->w = arena_grow(a, s->w, s->cap * sizeof *s->w, cap * sizeof *s->w);
	s->cap = cap;
}

static inline void
reserve(Arena *a, Set *s, u32 n)
{
	if (n > s->cap)
		make_room(a, s, n);
}

bool
set_has(const Set *s, u32 x)
{
	u32 i = find_word(s, x / 64);

	return i < s->n && s->w[i].index == x / 64 && (s->w[i].bits >> (x % 64) & 1);
}

/* Makes a word of x alone the i-th. */
static RARE bool
add_word(Arena *a, Set *s, u32 i, u32 x)
{
	reserve(a, s, s->n + 1);
	if (i < s->n)
		memmove(s->w + i + 1, s->w + i, (s->n - i) * sizeof *s->w);
	s->w[i] = (SetWord){(u64)1 << (x % 64), x / 64};
	s->n++;
	return true;
}

bool
set_add(Arena *a, Set *s, u32 x)
{
	u32 i = find_word(s, x / 64);
	u64 bit = (u64)1 << (x % 64), was;

	if (i == s->n || s->w[i].index != x / 64)
		return add_word(a, s, i, x);
	was = s->w[i].bits;
	s->w[i].bits = was | bit;
	return !(was & bit);
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

/* The first of the words from w up to end that does not come before `index`: mostly one of
 * the next few; else by steps that double, since often one set is much larger than the other. */
static inline SetWord *
seek(SetWord *w, const SetWord *end, u32 index)
{
	size_t step = NEAR, n;

	for (u32 k = 0; k < NEAR; k++, w++)
		if (w == end || w->index >= index)
			return w;
	while (step < (size_t)(end - w) && w[step].index < index) {
		w += step;
		step *= 2;
	}
	/* all before w come before, w[n] does not */
	for (n = MIN(step, (size_t)(end - w)); n;) {
		size_t half = n / 2;
		if (w[half].index < index) {
			w += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return w;
}

/* The bits of w that are not in the words of another set from *at on, which moves to the
 * first that comes behind w. */
static inline u64
bits_minus(const SetWord *w, SetWord **at, const SetWord *end)
{
	*at = seek(*at, end, w->index);
	return *at != end && (*at)->index == w->index ? w->bits & ~(*at)++->bits : w->bits;
}

/* Inserts n words that s lacks, merging from the back. */
static void
insert(Arena *a, Set *s, const SetWord *words, u32 n)
{
	u32 i = s->n, to = s->n + n;

	reserve(a, s, to);
	s->n = to;
	while (i && n) {
		while (i && s->w[i - 1].index > words[n - 1].index)
			s->w[--to] = s->w[--i];
		s->w[--to] = words[--n];
	}
	memcpy(s->w, words, n * sizeof *words);
}

bool
set_or_minus(Arena *a, Set *s, const Set *t, const Set *minus)
{
	SetWord few[FEW], *lacks = few, *at = s->w, *m = minus ? minus->w : NULL;
	const SetWord *end = at + s->n, *mend = minus ? m + minus->n : NULL;
	u64 news = 0;
	u32 n = 0;

	assert(minus != s); /* it would change under our hands */
	if (!t->n)
		return false;
	if (!s->n && m == mend) {
		set_copy(a, s, t);
		return true;
	}
	if (t->n > FEW)
		lacks = arena_array(a, SetWord, t->n);
	for (const SetWord *w = t->w, *last = w + t->n; w != last; w++) {
		u64 bits = bits_minus(w, &m, mend);
		if (!bits)
			continue;
		at = seek(at, end, w->index);
		if (at != end && at->index == w->index) {
			news |= bits & ~at->bits;
			at++->bits |= bits;
		} else {
			lacks[n++] = (SetWord){bits, w->index};
		}
	}
	if (n)
		insert(a, s, lacks, n);
	if (t->n > FEW)
		arena_recycle(a, lacks, t->n * sizeof *lacks);
	return news || n;
}

bool
set_or(Arena *a, Set *s, const Set *t)
{
	return set_or_minus(a, s, t, NULL);
}

bool
set_and(Set *s, const Set *t)
{
	SetWord *to = s->w, *at = t->w;
	const SetWord *end = at + t->n;
	u64 lost = 0;

	for (const SetWord *w = s->w, *last = w + s->n; w != last; w++) {
		u64 bits = w->bits & ~bits_minus(w, &at, end);
		lost |= bits ^ w->bits;
		if (bits)
			*to++ = (SetWord){bits, w->index};
	}
	s->n = (u32)(to - s->w);
	return lost;
}

bool
set_minus(Set *s, const Set *t)
{
	SetWord *to = s->w, *at = t->w;
	const SetWord *end = at + t->n;
	u64 lost = 0;

	for (const SetWord *w = s->w, *last = w + s->n; w != last; w++) {
		u64 bits = bits_minus(w, &at, end);
		lost |= bits ^ w->bits;
		if (bits)
			*to++ = (SetWord){bits, w->index};
	}
	s->n = (u32)(to - s->w);
	return lost;
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
	SetWord *v = s->w, *w = t->w;
	const SetWord *vend = v + s->n, *wend = w + t->n;

	while (v != vend && w != wend) {
		if (v->index < w->index)
			v = seek(v, vend, w->index);
		else if (v->index > w->index)
			w = seek(w, wend, v->index);
		else if (v++->bits & w++->bits)
			return true;
	}
	return false;
}

bool
set_within(const Set *s, const Set *t)
{
	SetWord *at = t->w;
	const SetWord *end = at + t->n;

	for (const SetWord *w = s->w, *last = w + s->n; w != last; w++)
		if (bits_minus(w, &at, end))
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

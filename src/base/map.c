/* map.c - see map.h. */
#include "map.h"
#include "vec.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

u64
hash_bytes(const void *p, size_t n)
{
	return XXH3_64bits(p, n);
}

u64
hash_u64(u64 x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	return x ^ x >> 32;
}

/* Where to look for key first: the upper half of a product depends on all of it.  One
 * multiplication, since a look-up waits for it. */
static u32
home(u64 key)
{
	return (u32)((key ^ key >> 32) * 0x9e3779b97f4a7c15u >> 32);
}

/* The cell of key in m, or the free one where it would go. */
static MapCell *
probe(const Map *m, u64 key)
{
	MapCell *cells = m->cells;
	u32 mask = m->cap - 1;

	for (u32 i = home(key);; i++) {
		MapCell *c = &cells[i & mask];
		if (c->key == key || !c->val)
			return c;
	}
}

u32
map_get(const Map *m, u64 key)
{
	return m->cap ? probe(m, key)->val : 0;
}

static void
grow(Arena *a, Map *m)
{
	Map old = *m;

	m->cap = old.cap ? old.cap * 2 : FIRST_CAP(16);
	m->cells = arena_array(a, MapCell, m->cap);
	arena_touch(m->cells, m->cap * sizeof *m->cells);
	for (u32 i = 0; i < old.cap; i++)
		if (old.cells[i].val)
			*probe(m, old.cells[i].key) = old.cells[i];
	arena_recycle(a, old.cells, old.cap * sizeof *old.cells);
}

/* A cell for the new key. */
static RARE u32 *
grow_for(Arena *a, Map *m, u64 key)
{
	while (m->n + 1 >= m->cap - m->cap / 4)
		grow(a, m);
	return map_at(a, m, key);
}

u32 *
map_at(Arena *a, Map *m, u64 key)
{
	MapCell *c = m->cap ? probe(m, key) : NULL;

	if (c && c->val)
		return &c->val;
	if (m->n + 1 >= m->cap - m->cap / 4)
		return grow_for(a, m, key);
	c->key = key;
	m->n++;
	return &c->val;
}

void
map_put(Arena *a, Map *m, u64 key, u32 val)
{
	assert(val);
	*map_at(a, m, key) = val;
}

void
map_clear(Map *m)
{
	if (m->n)
		memset(m->cells, 0, m->cap * sizeof *m->cells);
	m->n = 0;
}

void
intern_init(Intern *in, Arena *a)
{
	memset(in, 0, sizeof *in);
	in->arena = a;
}

/* The place in the table of the bytes, or the free one where they would go. */
static u32 *
find_place(const Intern *in, const void *p, size_t n, u32 hash)
{
	u32 mask = in->table_cap - 1;

	for (u32 i = hash & mask;; i = (i + 1) & mask) {
		u32 id = in->table[i];
		if (!id)
			return &in->table[i];
		if (in->strs[id].hash == hash && in->strs[id].len == n &&
		    !memcmp(in->strs[id].at, p, n))
			return &in->table[i];
	}
}

static RARE void
grow_table(Intern *in)
{
	u32 old = in->table_cap;

	arena_recycle(in->arena, in->table, old * sizeof *in->table);
	in->table_cap = old ? old * 2 : 4;
	in->table = arena_array(in->arena, u32, in->table_cap);
	arena_touch(in->table, in->table_cap * sizeof *in->table);
	for (u32 id = 1; id < in->n; id++) {
		u32 i = in->strs[id].hash & (in->table_cap - 1);
		while (in->table[i])
			i = (i + 1) & (in->table_cap - 1);
		in->table[i] = id;
	}
}

u32
intern_find(const Intern *in, const void *p, size_t n)
{
	return in->table_cap ? *find_place(in, p, n, (u32)hash_bytes(p, n)) : 0;
}

u32
intern_bytes(Intern *in, const void *p, size_t n)
{
	u32 hash = (u32)hash_bytes(p, n);
	u32 *place;

	assert(n < UINT32_MAX);
	if (in->n + 2 > in->table_cap / 2)
		grow_table(in);
	place = find_place(in, p, n, hash);
	if (*place)
		return *place;
	if (!in->n)
		in->n = 1;
	in->strs = vec_room(in->arena, in->strs, &in->cap, in->n + 1, sizeof *in->strs);
	in->strs[in->n] = (struct InternStr){arena_dup(in->arena, p, n), (u32)n, hash};
	return *place = in->n++;
}

void
intern_copy(Intern *to, const Intern *from)
{
	assert(!to->n);
	if (!from->n)
		return;
	to->n = from->n;
	to->strs = vec_room(to->arena, to->strs, &to->cap, to->n, sizeof *to->strs);
	for (u32 id = 1; id < to->n; id++) {
		to->strs[id] = from->strs[id];
		to->strs[id].at = arena_dup(to->arena, from->strs[id].at, from->strs[id].len);
	}
	to->table_cap = from->table_cap;
	to->table = arena_array(to->arena, u32, to->table_cap);
	memcpy(to->table, from->table, to->table_cap * sizeof *to->table);
}

u32
intern_str(Intern *in, const char *s)
{
	return intern_bytes(in, s, strlen(s));
}

const char *
intern_get(const Intern *in, u32 id)
{
	assert(!id || id < in->n);
	return id ? in->strs[id].at : "";
}

u32
intern_len(const Intern *in, u32 id)
{
	assert(!id || id < in->n);
	return id ? in->strs[id].len : 0;
}

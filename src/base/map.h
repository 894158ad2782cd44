/* map.h - hash tables: u64 -> u32, and interning of byte strings.
 *
 * Open addressing with linear probing in one block: the analyses look up far
 * more than they insert, keys are small integers or packed pairs of ids, and
 * nothing is ever deleted. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "arena.h"

typedef struct MapCell {
	u64 key;
	u32 val; /* 0: the cell is free */
} MapCell;

/* From u64 to u32 other than 0; absent keys read as 0. */
typedef struct Map {
	MapCell *cells;
	u32 n, cap;
} Map;

u32 map_get(const Map *m, u64 key);
/* Sets key to val (not 0), also where it had a value. */
void map_put(Arena *a, Map *m, u64 key, u32 val);
/* Returns the place of key's value, made 0 if new; the caller sets it to
 * other than 0 before the next call on m. */
u32 *map_at(Arena *a, Map *m, u64 key);
void map_clear(Map *m);

#define map_pair(hi, lo) ((u64)(hi) << 32 | (u32)(lo))

/* Byte strings, each kept once, with ids from 1 in order of arrival. */
typedef struct Intern {
	Arena *arena;
	struct InternStr {
		const char *at;
		u32 len;
		u32 hash;
	} *strs; /* strs[id] */
	u32 n, cap;
	u32 *table;
	u32 table_cap;
} Intern;

void intern_init(Intern *in, Arena *a);
/* The id of the n bytes at p, new or old. */
u32 intern_bytes(Intern *in, const void *p, size_t n);
u32 intern_str(Intern *in, const char *s);
/* Makes the empty table `to` hold what the other does, under the same ids. */
void intern_copy(Intern *to, const Intern *from);
/* The id of the n bytes at p, 0 if they were never interned. */
u32 intern_find(const Intern *in, const void *p, size_t n);
/* The bytes of id, with a zero byte behind; "" for 0. */
const char *intern_get(const Intern *in, u32 id);
u32 intern_len(const Intern *in, u32 id);

/* The number of ids given so far; ids run from 1 to this. */
static inline u32
intern_count(const Intern *in)
{
	return in->n ? in->n - 1 : 0;
}

u64 hash_bytes(const void *p, size_t n);
u64 hash_u64(u64 x);

#endif

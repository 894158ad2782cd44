/* arena.h - memory by lifetime.
 *
 * An arena hands out zeroed memory and gives all of it back at once.  Blocks
 * that a growing structure leaves behind are recycled by size class, so a
 * vector or set that doubles costs at most twice its final size.  An arena is
 * used by one thread at a time; arenas of different threads share a Budget,
 * which counts all of them and enforces the memory limit. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "types.h"

#include <stdarg.h>
#include <stdatomic.h>

/* What all arenas of a run have taken from the system, and the limit.  When
 * the limit is passed, `exceeded` becomes true and stays so: allocation still
 * succeeds (up to a reserve), and each phase stops at its next check. */
typedef struct Budget {
	size_t limit; /* bytes; 0 means none */
	atomic_size_t used;
	atomic_size_t peak;
	atomic_bool exceeded;
	atomic_flag busy;   /* somebody takes or gives a kept chunk */
	struct Chunk *kept; /* what ended arenas have left, for others; not in `used` */
} Budget;

enum { ARENA_CLASSES = 40 };

typedef struct Chunk Chunk;
typedef struct Arena {
	Chunk *chunks;
	char *at, *clean, *end;     /* what is free of the newest chunk, zero up to clean */
	void *spare[ARENA_CLASSES]; /* recycled blocks by power of two */
	Budget *budget;             /* may be null */
	struct Arena *inner, *next; /* arenas that end with this one */
} Arena;

/* Makes a an empty arena that counts against budget (null: none). */
void arena_init(Arena *a, Budget *budget);
/* Gives back all of a's memory; a is then empty and usable. */
void arena_release(Arena *a);
/* An arena for another thread that lives as long as a, with a's budget. */
Arena *arena_inner(Arena *a);
/* Makes all of from's memory a's; from, of the same budget, is then empty. */
void arena_adopt(Arena *a, Arena *from);
/* Returns n zeroed bytes, aligned for any type, living as long as a. */
void *arena_alloc(Arena *a, size_t n);
/* Returns n zeroed bytes after keeping the first old bytes of p, which is
 * recycled.  p is null or came from a with size old. */
void *arena_grow(Arena *a, void *p, size_t old, size_t n);
/* Makes the n bytes at p, a new block that is used all over soon, present at once:
 * else each page is faulted in twice where it is read before it is written. */
void arena_touch(void *p, size_t n);
/* How many bytes there are in a block of n: what grows may as well use them. */
size_t arena_room(size_t n);
/* Recycles p, which came from a with size n.  A hint: never required. */
void arena_recycle(Arena *a, void *p, size_t n);
/* Returns a's copy of the n bytes at p, with a zero byte behind. */
char *arena_dup(Arena *a, const void *p, size_t n);
char *arena_strdup(Arena *a, const char *s);
/* Returns a's copy of what printf would print. */
char *arena_printf(Arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *a, const char *fmt, va_list ap);
/* Says whether the memory limit has been passed. */
bool arena_exceeded(const Arena *a);
/* Says that the limit has been passed elsewhere: a child was stopped by it. */
void arena_exceed(Arena *a);
/* Says whether n more bytes, also beyond the limit, fit into the reserve. */
bool arena_has_room(const Arena *a, size_t n);

#define arena_new(a, T)      ((T *)arena_alloc((a), sizeof(T)))
#define arena_array(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (size_t)(n)))

/* Ends the process with a message: out of resources, never bad input. */
noreturn void fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif

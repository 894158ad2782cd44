/* arena.c - chunks with bump allocation and recycling by size class.
 *
 * Requests are rounded up to a power of two from 16 bytes, so that a recycled
 * block serves any later request of its class.  A request of CHUNK / 4 or more
 * gets a chunk of its own.  The others double from FIRST to CHUNK: many arenas live
 * for one function only, and a chunk must be cleared.
 *
 * Memory of these is cleared a little ahead of its use: most that short-lived arenas get
 * was used before, and most of their first chunk is never asked for.
 *
 * Chunks of BIG bytes and more are mapped by us, so that a block that outgrows one
 * takes its pages along: tables that grow to many megabytes are neither copied nor
 * touched anew.  Those that are over stay with the budget, for the next chunk of an arena
 * that has a large one already: the system would clear each of their pages again.
 *
 * AddressSanitizer is told which bytes are in use, so that it sees a write
 * behind a block and the use of one that was recycled, such as a pointer into
 * a vector that has grown since; so nothing is mapped there.  The hard variant spoils
 * recycled blocks. */
#include "arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __has_feature /* clang's way to say it */
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define OPEN(p, n)  __asan_unpoison_memory_region((p), (n))
#define CLOSE(p, n) __asan_poison_memory_region((p), (n))
enum { MAPS = 0 };
#else
#define OPEN(p, n)  ((void)(p), (void)(n))
#define CLOSE(p, n) ((void)(p), (void)(n))
enum { MAPS = 1 };
#endif

struct Chunk {
	Chunk *next, *prev;
	size_t size;
};

enum { FIRST = 1 << 14, CHUNK = 1 << 18, BIG = 1 << 20, HEAD = 96, RESERVE = 64 << 20 };
enum { PIECE = 1 << 11 }; /* bytes of a recycled block that smaller ones are made of */
enum { LINE = 64 };       /* of a cache: no small block lies in two */
enum { AHEAD = 1 << 10 }; /* bytes that are cleared beyond what is asked for */
enum { PAGE = 1 << 12, TOUCH = 1 << 15 }; /* below that much a system call does not pay */
static_assert(sizeof(Chunk) <= LINE && sizeof(Chunk) + LINE <= HEAD + 16,
	      "the chunk's head fits before its first block, which begins a line");

void
fatal(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("concord: fatal: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(4);
}

void
arena_init(Arena *a, Budget *budget)
{
	memset(a, 0, sizeof *a);
	a->budget = budget;
}

/* Is a chunk of so many bytes, its head included, mapped by us? */
static bool
is_mapped(size_t size)
{
	return MAPS && size >= BIG;
}

static void
lock(Budget *b)
{
	while (atomic_flag_test_and_set_explicit(&b->busy, memory_order_acquire))
		;
}

static void
unlock(Budget *b)
{
	atomic_flag_clear_explicit(&b->busy, memory_order_release);
}

/* Keeps a mapped chunk whose arena is over. */
static void
keep_chunk(Budget *b, Chunk *c)
{
#ifdef CONCORD_HARD
	memset(c + 1, 0xdd, c->size - sizeof *c);
#endif
	lock(b);
	c->next = b->kept;
	b->kept = c;
	unlock(b);
}

/* The last chunk that was kept; null: there is none. */
static Chunk *
kept_chunk(Budget *b)
{
	Chunk *c;

	lock(b);
	c = b->kept;
	if (c)
		b->kept = c->next;
	unlock(b);
	return c;
}

static void
end_chunk(Budget *b, Chunk *c)
{
	if (is_mapped(c->size) && b) {
		keep_chunk(b, c);
		return;
	}
	if (is_mapped(c->size)) {
		(void)munmap(c, c->size);
		return;
	}
	OPEN(c, c->size);
	free(c);
}

void
arena_release(Arena *a)
{
	Budget *budget = a->budget;

	for (Arena *i = a->inner, *next; i; i = next) {
		next = i->next;
		arena_release(i);
	}
	for (Chunk *c = a->chunks, *next; c; c = next) {
		next = c->next;
		if (budget)
			atomic_fetch_sub(&budget->used, c->size);
		end_chunk(budget, c);
	}
	arena_init(a, budget);
}

Arena *
arena_inner(Arena *a)
{
	Arena *i = arena_new(a, Arena);

	arena_init(i, a->budget);
	i->next = a->inner;
	a->inner = i;
	return i;
}

/* The block behind a recycled one. */
static void **
next_spare(void **p)
{
	void **next;

	OPEN(p, sizeof *p);
	next = *p;
	CLOSE(p, sizeof *p);
	return next;
}

/* Joins two lists of recycled blocks at the end of the shorter one. */
static void *
join_spares(void **x, void **y)
{
	void **at = x, **other = y, **first;

	if (!x || !y)
		return x ? x : y;
	for (first = x;; at = next_spare(at), other = next_spare(other)) {
		if (!next_spare(at))
			break;
		if (!next_spare(other)) {
			first = y;
			at = other;
			break;
		}
	}
	OPEN(at, sizeof *at);
	*at = first == x ? y : x;
	CLOSE(at, sizeof *at);
	return first;
}

void
arena_adopt(Arena *a, Arena *from)
{
	Chunk **end = &a->chunks, *last = NULL;

	assert(a != from && a->budget == from->budget && !from->inner);
	for (; *end; end = &last->next)
		last = *end;
	*end = from->chunks;
	if (from->chunks)
		from->chunks->prev = last;
	for (u32 class = 0; class < ARENA_CLASSES; class ++)
		a->spare[class] = join_spares(a->spare[class], from->spare[class]);
	arena_init(from, from->budget);
}

bool
arena_exceeded(const Arena *a)
{
	return a->budget && atomic_load(&a->budget->exceeded);
}

void
arena_exceed(Arena *a)
{
	if (a->budget)
		atomic_store(&a->budget->exceeded, true);
}

/* What may be in use at most.  Each phase stops soon after the limit, so only
 * a mistake of ours leads here. */
static size_t
ceiling(const Budget *b)
{
	return b->limit + b->limit / 4 + RESERVE;
}

bool
arena_has_room(const Arena *a, size_t n)
{
	const Budget *b = a->budget;

	return !b || !b->limit || atomic_load(&b->used) + n <= ceiling(b);
}

/* Counts n more bytes against b. */
static void
charge(Budget *b, size_t n)
{
	size_t used = atomic_fetch_add(&b->used, n) + n;
	size_t peak = atomic_load(&b->peak);

	while (used > peak && !atomic_compare_exchange_weak(&b->peak, &peak, used))
		;
	if (b->limit && used > b->limit) {
		atomic_store(&b->exceeded, true);
		if (used > ceiling(b))
			fatal("memory limit of %zu MiB reached", b->limit >> 20);
	}
}

/* A chunk of so many bytes, all zero if it is to be; null: there is no memory. */
static Chunk *
new_chunk(size_t size, bool zero)
{
	void *p;

	if (!is_mapped(size))
		return zero ? calloc(1, size) : malloc(size);
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

/* Of a mapped chunk, a line behind its beginning. */
static char *
first_block(Chunk *c)
{
	return (char *)(((uintptr_t)(c + 1) + LINE - 1) & ~(uintptr_t)(LINE - 1));
}

/* Makes c the newest chunk; its first block. */
static char *
push_chunk(Arena *a, Chunk *c, size_t size)
{
	if (a->budget)
		charge(a->budget, size);
	c->size = size;
	c->next = a->chunks;
	c->prev = NULL;
	if (c->next)
		c->next->prev = c;
	a->chunks = c;
	CLOSE(first_block(c), size - HEAD);
	return first_block(c);
}

static RARE char *
add_chunk(Arena *a, size_t n, bool zero)
{
	Chunk *c = new_chunk(n + HEAD, zero);

	if (!c)
		fatal("out of memory (%zu bytes)", n);
	return push_chunk(a, c, n + HEAD);
}

/* The class of a request: its size rounded up to 2^class. */
static u32
size_class(size_t n)
{
	u32 class = n <= 16 ? 4 : 64 - (u32)__builtin_clzll(n - 1);

	if (class >= ARENA_CLASSES)
		fatal("a request for %zu bytes", n);
	return class;
}

size_t
arena_room(size_t n)
{
#ifdef CONCORD_HARD
	return n;
#else
	return (size_t)1 << size_class(n);
#endif
}

/* Bytes of the next chunk, which begins with a block of so many. */
static size_t
next_chunk(const Arena *a, size_t size)
{
	size_t n = a->chunks ? MIN(2 * (a->chunks->size - HEAD), CHUNK) : FIRST;

	return MAX(n, size);
}

/* A recycled block as a chunk for smaller ones: most large blocks are what a table or set has
 * left behind, and no other comes to be as large.  Null: there is none. */
static char *
reuse(Arena *a, size_t size, size_t *n)
{
	for (u32 class = size_class(MAX(size, PIECE)); MAPS && class < ARENA_CLASSES; class ++) {
		void **p = a->spare[class];
		if (!p)
			continue;
		a->spare[class] = *p;
		*n = (size_t)1 << class;
		return (char *)p;
	}
	return NULL;
}

/* A chunk that was kept, for an arena that grows; null. */
static char *
take_kept(Arena *a, size_t *n)
{
	Chunk *c = MAPS && *n == CHUNK && a->budget ? kept_chunk(a->budget) : NULL;

	if (!c)
		return NULL;
	*n = c->size - HEAD;
	return push_chunk(a, c, c->size);
}

/* Keeps what is left of the newest chunk as recycled blocks. */
static void
keep_rest(Arena *a)
{
	for (size_t n; MAPS && a->at && (n = (size_t)(a->end - a->at)) >= PIECE;) {
		u32 class = 63 - (u32)__builtin_clzll(n);

		*(void **)a->at = a->spare[class];
		a->spare[class] = a->at;
		a->at += (size_t)1 << class;
	}
}

static RARE void
clear_ahead(Arena *a)
{
	char *to = a->end - a->at > AHEAD ? a->at + AHEAD : a->end;

	memset(a->clean, 0, (size_t)(to - a->clean));
	a->clean = to;
}

/* A new block of 2^class bytes, all zero and closed. */
static void *
carve(Arena *a, u32 class)
{
	size_t size = (size_t)1 << class;

	if (size >= CHUNK / 4)
		return add_chunk(a, size, true);
	if (a->at == NULL || (size_t)(a->end - a->at) < size) {
		size_t n = next_chunk(a, size);
		char *p;

		keep_rest(a);
		p = reuse(a, size, &n);
		if (!p)
			p = take_kept(a, &n);
		a->at = p ? p : add_chunk(a, n, !MAPS);
		a->end = a->at + n;
		a->clean = MAPS ? a->at : a->end;
	}
	a->at += size;
	if (a->at > a->clean)
		clear_ahead(a);
	return a->at - size;
}

/* A block for n bytes, all zero but for the first `dirty` ones, which the caller writes. */
static inline void *
block(Arena *a, size_t n, size_t dirty)
{
	u32 class = size_class(n);
	void **spare = a->spare[class];
	char *p;

	if (!spare) {
		p = carve(a, class);
		OPEN(p, n);
		return p;
	}
	OPEN(spare, sizeof *spare);
	a->spare[class] = *spare;
	CLOSE(spare, sizeof *spare);
	p = (char *)spare;
	OPEN(p, n);
	/* where a block may be extended, it is zero to its end */
	memset(p + dirty, 0, (is_mapped((size_t)1 << class) ? (size_t)1 << class : n) - dirty);
	return p;
}

void *
arena_alloc(Arena *a, size_t n)
{
	return block(a, n, 0);
}

void
arena_touch(void *p, size_t n)
{
	uintptr_t from = ((uintptr_t)p + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	uintptr_t to = ((uintptr_t)p + n) & ~(uintptr_t)(PAGE - 1);

#ifdef MADV_POPULATE_WRITE
	/* a hint: an older kernel does not know it */
	if (n >= TOUCH && to > from)
		(void)madvise((void *)from, to - from, MADV_POPULATE_WRITE);
#endif
}

void
arena_recycle(Arena *a, void *p, size_t n)
{
	u32 class = size_class(n);

	if (!p)
		return;
	OPEN(p, sizeof(void *));
#ifdef CONCORD_HARD
	if (n)
		memset(p, 0xdd, n);
#endif
	*(void **)p = a->spare[class];
	a->spare[class] = p;
	CLOSE(p, (size_t)1 << class);
}

/* Makes the mapped chunk of a block larger, wherever it then is. */
static void *
extend(Arena *a, void *p, size_t n)
{
	Chunk *c = (Chunk *)((char *)p - LINE);
	size_t old = c->size;

	if (a->budget)
		charge(a->budget, n + HEAD - old);
	c = mremap(c, old, n + HEAD, MREMAP_MAYMOVE);
	if (c == MAP_FAILED)
		fatal("out of memory (%zu bytes)", n);
	c->size = n + HEAD;
	*(c->prev ? &c->prev->next : &a->chunks) = c;
	if (c->next)
		c->next->prev = c;
	return first_block(c);
}

void *
arena_grow(Arena *a, void *p, size_t old, size_t n)
{
	u32 class = size_class(n);
	void *q;

	if (p && n <= (size_t)1 << size_class(old)) {
		OPEN(p, n);
		if (n > old)
			memset((char *)p + old, 0, n - old);
		return p;
	}
	if (p && is_mapped((size_t)1 << size_class(old)))
		return extend(a, p, (size_t)1 << class);
	q = block(a, n, p ? MIN(old, n) : 0);
	if (p) {
		memcpy(q, p, MIN(old, n));
		arena_recycle(a, p, old);
	}
	return q;
}

char *
arena_dup(Arena *a, const void *p, size_t n)
{
	char *s = arena_alloc(a, n + 1);

	if (n)
		memcpy(s, p, n);
	s[n] = 0;
	return s;
}

char *
arena_strdup(Arena *a, const char *s)
{
	return arena_dup(a, s, strlen(s));
}

char *
arena_vprintf(Arena *a, const char *fmt, va_list ap)
{
	va_list again;
	int n;
	char *s;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	assert(n >= 0);
	s = arena_alloc(a, (size_t)n + 1);
	vsnprintf(s, (size_t)n + 1, fmt, ap);
	return s;
}

char *
arena_printf(Arena *a, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return s;
}

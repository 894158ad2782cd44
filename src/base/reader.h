/* reader.h - reads bytes that nobody vouches for.
 *
 * The error is sticky: a read past the end gives 0, or an empty string, and
 * every later read does the same, so that a decoder checks once, where it
 * matters, instead of after every field.  Counts read from the input must be
 * checked with reader_count before anything is allocated for them. */
#ifndef BASE_READER_H
#define BASE_READER_H

#include "types.h"

typedef struct Reader {
	const u8 *start, *at, *end;
	bool failed;
} Reader;

/* Reads the n bytes at p, which stay the caller's. */
Reader reader_on(const void *p, size_t n);
u8 reader_u8(Reader *r);
u16 reader_u16le(Reader *r);
u16 reader_u16be(Reader *r);
u32 reader_u32le(Reader *r);
u32 reader_u32be(Reader *r);
u64 reader_u64le(Reader *r);
u64 reader_u64be(Reader *r);
/* Little-endian base 128, unsigned and signed; one that does not fit in 64
 * bits is an error. */
u64 reader_uleb(Reader *r);
i64 reader_sleb(Reader *r);
/* A uleb that must fit in 32 bits. */
u32 reader_uleb32(Reader *r);
/* The next n bytes, in place; null and an error if there are fewer. */
const u8 *reader_bytes(Reader *r, size_t n);
void reader_skip(Reader *r, size_t n);
/* Goes to offset from the start. */
void reader_seek(Reader *r, size_t offset);
/* A reader of the next n bytes alone, which r then has passed. */
Reader reader_part(Reader *r, size_t n);
/* A uleb count of things of at least size bytes each, all of them still to
 * come: an error, and 0, if the input is too short for that many. */
u32 reader_count(Reader *r, size_t size);

static inline size_t
reader_left(const Reader *r)
{
	return (size_t)(r->end - r->at);
}

static inline size_t
reader_offset(const Reader *r)
{
	return (size_t)(r->at - r->start);
}

/* Marks r as failed, for what only the caller can see is wrong. */
static inline void
reader_fail(Reader *r)
{
	r->failed = true;
	r->at = r->end;
}

/* Says whether all was read and nothing was wrong. */
static inline bool
reader_done(const Reader *r)
{
	return !r->failed && r->at == r->end;
}

#endif

/* reader.c - see reader.h.  Always start <= at <= end, and at == end once
 * failed, so that one comparison guards each read. */
#include "reader.h"

Reader
reader_on(const void *p, size_t n)
{
	static const u8 none;
	const u8 *at = n ? p : &none;

	return (Reader){at, at, at + n, false};
}

const u8 *
reader_bytes(Reader *r, size_t n)
{
	const u8 *at = r->at;

	if (r->failed || n > reader_left(r)) {
		reader_fail(r);
		return NULL;
	}
	r->at += n;
	return at;
}

void
reader_skip(Reader *r, size_t n)
{
	reader_bytes(r, n);
}

void
reader_seek(Reader *r, size_t offset)
{
	if (r->failed || offset > (size_t)(r->end - r->start))
		reader_fail(r);
	else
		r->at = r->start + offset;
}

Reader
reader_part(Reader *r, size_t n)
{
	const u8 *at = reader_bytes(r, n);
	Reader part = reader_on(at, at ? n : 0);

	part.failed = !at;
	return part;
}

/* An integer of n bytes, the least significant first. */
static u64
little(Reader *r, u32 n)
{
	const u8 *at = reader_bytes(r, n);
	u64 x = 0;

	for (u32 i = n; at && i; i--)
		x = x << 8 | at[i - 1];
	return x;
}

/* An integer of n bytes, the most significant first. */
static u64
big(Reader *r, u32 n)
{
	const u8 *at = reader_bytes(r, n);
	u64 x = 0;

	for (u32 i = 0; at && i < n; i++)
		x = x << 8 | at[i];
	return x;
}

u8
reader_u8(Reader *r)
{
	return (u8)little(r, 1);
}

u16
reader_u16le(Reader *r)
{
	return (u16)little(r, 2);
}

u16
reader_u16be(Reader *r)
{
	return (u16)big(r, 2);
}

u32
reader_u32le(Reader *r)
{
	return (u32)little(r, 4);
}

u32
reader_u32be(Reader *r)
{
	return (u32)big(r, 4);
}

u64
reader_u64le(Reader *r)
{
	return little(r, 8);
}

u64
reader_u64be(Reader *r)
{
	return big(r, 8);
}

u64
reader_uleb(Reader *r)
{
	u64 x = 0;

	for (u32 shift = 0; shift < 64; shift += 7) {
		u8 byte = reader_u8(r);
		if (shift == 63 && byte > 1)
			break;
		x |= (u64)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return r->failed ? 0 : x;
	}
	reader_fail(r);
	return 0;
}

i64
reader_sleb(Reader *r)
{
	u64 x = 0;

	for (u32 shift = 0; shift < 64; shift += 7) {
		u8 byte = reader_u8(r);
		if (shift == 63 && byte != 0 && byte != 0x7f)
			break;
		x |= (u64)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		if ((byte & 0x40) && shift + 7 < 64)
			x |= ~(u64)0 << (shift + 7);
		return r->failed ? 0 : (i64)x;
	}
	reader_fail(r);
	return 0;
}

u32
reader_uleb32(Reader *r)
{
	u64 x = reader_uleb(r);

	if (x <= UINT32_MAX)
		return (u32)x;
	reader_fail(r);
	return 0;
}

u32
reader_count(Reader *r, size_t size)
{
	u32 n = reader_uleb32(r);

	assert(size);
	if (n <= reader_left(r) / size)
		return n;
	reader_fail(r);
	return 0;
}

/* bit_writer.h - writing a bitstream, see llvm/bits.h: no abbreviations, but for records with bytes. */
#ifndef TEST_BIT_WRITER_H
#define TEST_BIT_WRITER_H

#include "base/vec.h"

#include <string.h>

/* Bits of an abbreviation's number: outside of all blocks, and in them. */
enum { BITS_OUTSIDE = 2, BITS_INSIDE = 8, BITS_DEEP = 16, BITS_FIRST_ABBREV = 4 };

typedef struct BitWriter {
	Arena *arena;
	Vec(u8) out;
	u32 byte, nbits; /* that is begun */
	u32 depth, begin[BITS_DEEP], abbrevs[BITS_DEEP];
} BitWriter;

static inline void
put_bits(BitWriter *w, u64 x, u32 n)
{
	for (u32 k = 0; k < n; k++) {
		w->byte |= (u32)(x >> k & 1) << w->nbits;
		if (++w->nbits == 8) {
			vec_push(w->arena, &w->out, (u8)w->byte);
			w->byte = w->nbits = 0;
		}
	}
}

static inline void
put_vbr(BitWriter *w, u64 x, u32 n)
{
	u64 more = (u64)1 << (n - 1);

	for (; x >= more; x >>= n - 1)
		put_bits(w, (x & (more - 1)) | more, n);
	put_bits(w, x, n);
}

static inline void
put_aligned(BitWriter *w)
{
	while (w->nbits || w->out.n % 4)
		put_bits(w, 0, 1);
}

static inline void
put_magic(BitWriter *w)
{
	put_bits(w, 0xdec04342, 32);
}

static inline void
put_block(BitWriter *w, u32 kind)
{
	put_bits(w, 1, w->depth ? BITS_INSIDE : BITS_OUTSIDE);
	put_vbr(w, kind, 8);
	put_vbr(w, BITS_INSIDE, 4);
	put_aligned(w);
	put_bits(w, 0, 32);
	w->begin[++w->depth] = w->out.n;
	w->abbrevs[w->depth] = BITS_FIRST_ABBREV;
}

static inline void
put_end(BitWriter *w)
{
	u32 at = w->begin[w->depth--], words;

	put_bits(w, 0, BITS_INSIDE);
	put_aligned(w);
	words = (w->out.n - at) / 4;
	memcpy(&w->out.at[at - 4], &words, sizeof words);
}

static inline void
put_record(BitWriter *w, u32 code, u32 n, const u64 *op)
{
	put_bits(w, 3, BITS_INSIDE);
	put_vbr(w, code, 6);
	put_vbr(w, n, 6);
	for (u32 k = 0; k < n; k++)
		put_vbr(w, op[k], 6);
}

/* One with bytes: its abbreviation is the next one of its block, of which there are not too many. */
static inline void
put_bytes(BitWriter *w, u32 code, u32 n, const u64 *op, const void *bytes, size_t nbytes)
{
	enum { VBR = 2, BLOB = 5 };

	put_bits(w, 2, BITS_INSIDE);
	put_vbr(w, n + 2, 5);
	put_bits(w, 1, 1);
	put_vbr(w, code, 8);
	for (u32 k = 0; k < n; k++) {
		put_bits(w, VBR << 1, 4);
		put_vbr(w, 6, 5);
	}
	put_bits(w, BLOB << 1, 4);
	put_bits(w, w->abbrevs[w->depth]++, BITS_INSIDE);
	for (u32 k = 0; k < n; k++)
		put_vbr(w, op[k], 6);
	put_vbr(w, nbytes, 6);
	put_aligned(w);
	for (size_t k = 0; k < nbytes; k++)
		put_bits(w, ((const u8 *)bytes)[k], 8);
	put_aligned(w);
}

#endif

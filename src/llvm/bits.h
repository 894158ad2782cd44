/* bits.h - LLVM's bitstream: blocks of records, whose fields have any number of bits.
 *
 * A record is a number that says what it is, numbers, and at most one run of bytes.  How
 * its fields lie is said by abbreviations, which a block defines, or the block of
 * information about blocks for all blocks of a kind.
 *
 * The error is sticky, as in base/reader.h: behind it everything ends. */
#ifndef LLVM_BITS_H
#define LLVM_BITS_H

#include "base/vec.h"

/* Behind the last byte of what is read there are so many that may be looked at. */
enum { BITS_SLACK = 8 };
enum {
	BITS_KINDS = 32
}; /* of blocks that are known; 0 is none that has abbreviations before it begins */

typedef struct Record {
	u32 code;
	u32 n, cap;
	u64 *op; /* cap of them; those from n on are of no meaning */
	const u8 *blob;
	size_t nblob;
} Record;

/* One field of an abbreviation. */
typedef struct BitField {
	u8 kind;
	u64 arg; /* the value, or a number of bits */
} BitField;

typedef struct Abbrev {
	bool about;   /* its fields are in about_fields */
	u32 first, n; /* in fields */
} Abbrev;

typedef struct Scope {
	u32 width;           /* bits of an abbreviation's number */
	u32 abbrevs, fields; /* where those of the block begin */
	u64 end;
} Scope;

typedef struct Bits {
	Arena *arena;
	const u8 *base;
	u64 at, end; /* in bits */
	bool bad;
	u32 block;      /* the kind of block that was found */
	u32 about_kind; /* the kind of block for which abbreviations are defined; 0: for this block */
	Scope in;
	Vec(Scope) outer;
	Vec(Abbrev) abbrevs; /* of all blocks that are open */
	Vec(BitField) fields;
	Vec(Abbrev) about[BITS_KINDS]; /* by kind of block: what each of them begins with */
	Vec(BitField) about_fields;
} Bits;

enum { BITS_END, BITS_BLOCK, BITS_RECORD };

/* Reads the n bytes at p.  The tables are a's. */
void bits_init(Bits *b, Arena *a, const void *p, size_t n);
/* What comes next: a record, in *r; a block, of the kind b->block, which the caller enters or
 * skips; or the end of the block, which is then left.  The end of the input is one, too. */
u32 bits_next(Bits *b, Record *r);
/* Enters the block that was found, or one of that kind at which b was before. */
void bits_enter(Bits *b, u32 block);
void bits_skip(Bits *b);
/* Leaves the block, wherever in it we are. */
void bits_leave(Bits *b);
/* Reads the block that was found: the abbreviations of all kinds of blocks. */
void bits_about_blocks(Bits *b, Record *r);
/* The next number in groups of n bits. */
u64 bits_vbr(Bits *b, u32 n);

static inline u64
record_op(const Record *r, u32 k)
{
	return k < r->n ? r->op[k] : 0;
}

#endif

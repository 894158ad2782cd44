/* claim.h - the critical sections in which elements are claimed. */
#ifndef RACE_CLAIM_H
#define RACE_CLAIM_H

#include "race/reason_int.h"

/* A value on its way from where an element was claimed to an access: it is used by the instruction, in a phi at the
 * end of a block, where `to` is the phi's block. */
typedef struct Level {
	InstId inst;
	InsId ins;
	BlockId to;
	Val v;                    /* not a conversion */
	i64 add;                  /* that plus this is the value of: */
	const struct Level *next; /* the next on the way; null: this is the last */
} Level;

typedef enum ClaimHow { CLAIM_NONE, CLAIM_FLAG, CLAIM_BIT, CLAIM_POPPED } ClaimHow;

typedef struct Claim {
	ClaimHow how;
	bool clears; /* what says that it is taken is 0 */
	InstId inst;
	InsId load, store; /* of the flag or word; of a number that is popped, and of the count */
	ThreadId thread;
	u32 at;    /* an access of what gives back who writes there, plus 1 */
	u32 table; /* its shape */
} Claim;

/* The claim of the element that the level's value is the number of, or points to, in its function;
 * use: where that hands it on, or has it itself. */
Claim claim_at(Reasons *rs, ThreadId t, const Level *at, InsId use);
/* Is the value no element: one that some level has tested it for, and is not used with? */
bool claim_excludes(const Races *r, const Level *at, Val c);
/* May the element be given back, or handed to a thread, on a way from one instruction (0: the entry) to
 * another that does not come by it again, nor by `def`, if that is not 0? */
bool claim_given_back(Reasons *rs, const Claim *c, InstId inst, InsId from, InsId def, InsId to);
/* Do all that both store, in their claims, keep out each other? */
bool claim_apart(const Races *r, const Claim *x, const Claim *y);
/* The store to its place of what the load found, counted on, in the same section; 0: there is none. */
InsId claim_popped(Reasons *rs, ThreadId t, InstId inst, InsId load);

/* Does the store claim an element, whichever: behind a test that finds nobody, in the same section?  like: one of the
 * same table. */
bool claim_takes(Reasons *rs, ThreadId t, InstId inst, InsId store, const Claim *like);
/* The numbers of single bits with which what is stored is computed. */
u32 claim_bits(const Ir *ir, const Fn *f, const Ins *store, Val out[2]);
/* The accesses that write there. */
const VecU32 *claim_writers(Reasons *rs, const Claim *c);
/* What the files of this have in common: the number that a constant is, null too; */
bool claim_number(const Ir *ir, Val v, i64 *out);
/* are the two computed alike, but for conversions; */
bool claim_same(const Ir *ir, const Fn *f, Val v, Val w);
/* an access of the instruction, plus 1; 0: there is none; */
u32 claim_access(const Races *r, InstId inst, InsId ins);
/* does the branch at the end of the block depend on v, or on how it compares; */
bool claim_branches_on(const Ir *ir, const Fn *f, const Block *b, Val v);
/* does every way from where the level's value is defined to where it is used pass the store, but those on which it
 * is no element; */
bool claim_passes(const Races *r, const Level *l, InsId store);
/* the same for the edges of blocks: 1 << k for the k-th; */
bool claim_crosses(const Races *r, const Level *l, const u8 *edges);
/* are both in one critical section, wherever a way leads from the first to the second that does not pass def, if that is
 * not 0? */
bool claim_section(Reasons *rs, ThreadId t, InstId inst, InsId first, InsId second, InsId def);

#endif

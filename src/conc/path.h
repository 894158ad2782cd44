/* path.h - symbolic addresses: how a function's code reaches a place.
 *
 * A path starts at a parameter, a global, a register or a number and goes on
 * by offsets, indices, conversions and loads.  It names one value in one
 * activation of one function: equal paths are equal values there, as long as
 * no register in them has been defined anew.  Interned, so that equality is
 * equality of ids, and bounded in length, so that there are finitely many. */
#ifndef CONC_PATH_H
#define CONC_PATH_H

#include "ir/ir.h"

typedef u32 PathId; /* 0: none */

typedef enum PathKind {
	PATH_NONE,
	PATH_PARAM,  /* ref: the parameter, from 0 */
	PATH_GLOBAL, /* ref: the global's address */
	PATH_VALUE,  /* ref: the register */
	PATH_RESULT, /* what the function returns, for its callers */
	PATH_NUM,    /* num */
	PATH_OFF,    /* base + num bytes; base is no PATH_OFF */
	PATH_INDEX,  /* base + num times the value of path ref */
	PATH_CAST,   /* base converted; ref: CastKind and width */
	PATH_DEREF   /* what num bytes at base hold */
} PathKind;

typedef struct Path {
	u8 kind;
	u8 steps; /* length, with that of an index */
	PathId base;
	u32 ref;
	i64 num;
	u64 regs; /* bit r % 64 for each register r that it is made with */
} Path;

enum { PATH_STEPS = 6 };

typedef struct Paths {
	Arena *arena;
	Intern keys;
	Vec(Path) at;
	Vec(u64) named; /* bit r: some path is made with register r */
} Paths;

void paths_init(Paths *ps, Arena *a);

/* These return 0 if an operand is 0 or the path would be too long. */
PathId path_param(Paths *ps, u32 k);
PathId path_global(Paths *ps, GlobalId g);
PathId path_value(Paths *ps, Val reg);
PathId path_result(Paths *ps);
PathId path_num(Paths *ps, i64 num);
PathId path_off(Paths *ps, PathId base, i64 num);
PathId path_index(Paths *ps, PathId base, PathId index, i64 stride);
PathId path_cast(Paths *ps, PathId base, CastKind kind, u16 width);
PathId path_deref(Paths *ps, PathId base, u32 bytes);

static inline const Path *
path_get(const Paths *ps, PathId p)
{
	return &ps->at.at[p];
}
/* p without its last offset, which goes to *off. */
PathId path_base(const Paths *ps, PathId p, i64 *off);
/* p with `to` in place of `from`, which it goes on from; 0: it does not. */
PathId path_rebase(Paths *ps, PathId p, PathId from, PathId to);
/* Is p made with register reg? */
bool path_uses(const Paths *ps, PathId p, Val reg);
/* Is any path?  For those who would else ask for each. */
static inline bool
path_names(const Paths *ps, Val reg)
{
	return reg / 64 < ps->named.n && ps->named.at[reg / 64] >> reg % 64 & 1;
}
/* Is p made with any register, so that it means nothing outside its function? */
bool path_local(const Paths *ps, PathId p);
/* Are x and y certainly different values: one base with two offsets? */
bool path_apart(const Paths *ps, PathId x, PathId y);

#endif

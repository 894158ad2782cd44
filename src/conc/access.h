/* access.h - which memory an instruction touches. */
#ifndef CONC_ACCESS_H
#define CONC_ACCESS_H

#include "ir/ir.h"

/* Touch.flags, Access.flags. */
enum {
	ACC_WRITE = 1,
	ACC_ATOMIC = 2,   /* atomic with any order; see the instruction's order */
	ACC_VOLATILE = 4, /* a C volatile access */
	ACC_FREE = 8,     /* the end of the object: a write to all of it */
	ACC_LIBRARY = 16, /* done by a library function called here */
	ACC_FRESH = 32,   /* the object is not yet published at this point */
	ACC_SECOND = 64,  /* the reading half of a block copy */
	ACC_FROZEN = 128, /* a final field, of an object that is published after its constructor */
	ACC_UPTO = 256    /* size is the most that it can be */
};

typedef struct Touch {
	Val addr;
	u32 flags;
	u64 size; /* bytes; 0: unknown, to the end of the object */
} Touch;

/* Fills touch with the memory that ins reads or writes; returns how many. */
u32 access_touches(const Ir *ir, InsId ins, Touch touch[2]);
/* Of a block operation in fn of as many bytes as the program computes: the most that they can be,
 * as it begins at an array within a struct; 0 unknown. */
u64 access_most(const Ir *ir, const Fn *fn, InsId ins);

#endif

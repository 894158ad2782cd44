/* prune.h - takes out what never runs. */
#ifndef IR_PRUNE_H
#define IR_PRUNE_H

#include "ir/ir.h"

typedef struct PruneOptions {
	bool closed; /* nothing but this program knows its variables with external linkage */
	bool
	    memory; /* variables whose address is used for nothing but accesses keep what they get */
	bool fields; /* so do private fields of classes */
} PruneOptions;

typedef struct Pruned {
	u32 blocks; /* never run */
	u32 ins;    /* what was in them, or behind what never returns */
	InsId *to;  /* [old InsId]: the new one, 0 if it is gone; in the program's memory */
} Pruned;

/* Removes from program, which runs from root, the blocks that no run reaches,
 * and puts constants in place of registers that are always the same; see
 * value.c for what is found.  Functions, globals, registers and blocks of
 * functions that nobody calls stay. */
Pruned ir_prune(Ir *program, FnId root, const PruneOptions *opt);

#endif

/* walk.h - which instruction of a function comes before which. */
#ifndef RACE_WALK_H
#define RACE_WALK_H

#include "ir/ir.h"

typedef struct Walk Walk;

/* Control flow with exception edges, built for a function on first use. */
Walk *walk_new(Arena *a, const Ir *ir);
BlockId walk_block(Walk *w, FnId fn, InsId ins);
/* Does every path from fn's entry to b pass a first?  Not so for a = b. */
bool walk_dominates(Walk *w, FnId fn, InsId a, InsId b);
/* The same for a's block and b's, which may be one. */
bool walk_block_dominates(Walk *w, FnId fn, BlockId a, BlockId b);
/* The nearest block that dominates it; 0 for the entry. */
BlockId walk_idom(Walk *w, FnId fn, BlockId block);
/* Can a path lead from behind a to b? */
bool walk_reaches(Walk *w, FnId fn, InsId a, InsId b);
/* The same within one round of the innermost loop that both are in. */
bool walk_reaches_in_round(Walk *w, FnId fn, InsId a, InsId b);
/* Is a the block b, or can a path lead there? */
bool walk_block_reaches(Walk *w, FnId fn, BlockId a, BlockId b);
/* Is block in a cycle? */
bool walk_cyclic(Walk *w, FnId fn, BlockId block);
/* The head of the innermost loop that block is in; 0: in none that has one. */
BlockId walk_loop(Walk *w, FnId fn, BlockId block);
/* The head of the next loop around the one with this head; 0 none. */
BlockId walk_loop_around(Walk *w, FnId fn, BlockId head);
/* Is block in the loop with this head, or in one within that? */
bool walk_in_loop(Walk *w, FnId fn, BlockId head, BlockId block);
/* The predecessors of block. */
const BlockId *walk_preds(Walk *w, FnId fn, BlockId block, u32 *n);

#endif

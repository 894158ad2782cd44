/* cfg.h - the flow graph of a function: order, dominators, loops.
 *
 * Exception edges are edges.  Nodes are BlockIds; edges are distinct, also
 * where a branch names one block twice.  Everything is computed at once and
 * lives in the arena given to cfg_build. */
#ifndef IR_CFG_H
#define IR_CFG_H

#include "base/graph.h"
#include "ir/dom.h"
#include "ir/ir.h"

/* A cycle with its header: the first of its blocks in a depth-first walk.
 * One that can be entered elsewhere too is irreducible. */
typedef struct Loop {
	BlockId header;
	u32 parent; /* the loop around it, 0 none; parent < own number */
	u32 depth;  /* 1 for an outermost one */
	bool irreducible;
	u32 block, nblock; /* cfg->loop_blocks[block ...]: its own first, then the inner loops' */
	u32 exit, nexit;   /* cfg->loop_exits[exit ...]: edges that leave it */
	u32 first, last;   /* numbers of the loops within it, see cfg_loop_has */
} Loop;

typedef struct Cfg {
	const Ir *ir;
	const Fn *fn;
	Graph succ, pred; /* over BlockIds; node 0 has no edges */
	BlockId *rpo;     /* reachable blocks in reverse postorder, the entry first */
	u32 nrpo;
	u32 *rank; /* [block]: position in rpo plus 1; 0: unreachable */
	Doms dom;
	BlockId exit; /* the virtual exit, fn->nblock + 1 */
	Doms post;   /* post-dominators; nodes that cannot reach the exit are "unreachable" in it */
	Loop *loops; /* [1 .. nloop], outer before inner, by the header's rank */
	u32 nloop;
	u32 *loop_of; /* [block]: the innermost loop, 0 none */
	BlockId *loop_blocks;
	Arc *loop_exits;
} Cfg;

/* Builds c for fn, which has a body, in a. */
void cfg_build(Cfg *c, Arena *a, const Ir *ir, const Fn *fn);

/* Only the edges: makes g the graph over fn's BlockIds. */
void cfg_graph(Graph *g, Arena *a, const Ir *ir, const Fn *fn);

/* May the instruction end with an exception?  Then its block's exception
 * successor is taken or, where there is none, the function left. */
bool ins_may_throw(const Ins *i);

/* The immediate post-dominator of b: a block, c->exit, or 0 if no path from b
 * reaches the end of the function. */
static inline BlockId
cfg_ipdom(const Cfg *c, BlockId b)
{
	return c->post.idom[b];
}

/* Does x lie on every path from the entry to y? */
static inline bool
cfg_dominates(const Cfg *c, BlockId x, BlockId y)
{
	return doms_has(&c->dom, x, y);
}

/* Does x lie on every path from y to the end of the function?  False where
 * y cannot reach the end: nothing is inevitable there. */
static inline bool
cfg_postdominates(const Cfg *c, BlockId x, BlockId y)
{
	return c->post.enter[y] && doms_has(&c->post, x, y);
}

static inline bool
cfg_loop_has(const Cfg *c, u32 loop, BlockId b)
{
	u32 inner = c->loop_of[b];

	return inner && c->loops[inner].first >= c->loops[loop].first &&
	       c->loops[inner].first < c->loops[loop].last;
}

/* Can b run twice in one activation of the function? */
static inline bool
cfg_in_cycle(const Cfg *c, BlockId b)
{
	return c->loop_of[b] != 0;
}

/* The block of instruction i, which is one of fn's. */
BlockId cfg_block_of(const Ir *ir, const Fn *fn, InsId i);

/* Does instruction x come before y whenever a path comes to y? */
static inline bool
cfg_precedes(const Cfg *c, InsId x, InsId y)
{
	BlockId a = cfg_block_of(c->ir, c->fn, x), b = cfg_block_of(c->ir, c->fn, y);

	return a == b ? x < y : cfg_dominates(c, a, b);
}

#endif

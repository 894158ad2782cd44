/* dom.h - dominators of any graph with a root. */
#ifndef IR_DOM_H
#define IR_DOM_H

#include "base/graph.h"

typedef struct Doms {
	u32 n;
	u32 *idom;  /* [node]: immediate dominator; 0 for the root and what it does not reach */
	u32 *enter; /* [node]: preorder number in the dominator tree, from 1; 0: unreachable */
	u32 *leave; /* [node]: one past the last number below it */
} Doms;

/* Dominators of g's nodes from root, which is not 0; pred is g turned round.
 * The memory is a's; scratch is for temporary use and may be a. */
void doms_build(Doms *d, Arena *a, Arena *scratch, const Graph *g, const Graph *pred, u32 root);

/* Says whether every path from the root to y passes x.  Of a y that is not
 * reachable that is true of every x. */
static inline bool
doms_has(const Doms *d, u32 x, u32 y)
{
	return !d->enter[y] ||
	       (d->enter[x] && d->enter[x] <= d->enter[y] && d->enter[y] < d->leave[x]);
}

#endif

/* graph.h - directed graphs in compressed rows, and their components.
 *
 * Built once from a list of edges and only read afterwards: call graphs, flow
 * graphs and constraint graphs are walked far more often than they change, and
 * two arrays are all that a walk touches.  Nodes are 0 to n - 1; whoever has
 * ids from 1 leaves node 0 without edges. */
#ifndef BASE_GRAPH_H
#define BASE_GRAPH_H

#include "arena.h"

typedef struct Arc {
	u32 from, to;
} Arc;

typedef struct Graph {
	u32 n;
	u32 *first; /* n + 1 of them: x's successors are to[first[x]] to to[first[x + 1] - 1] */
	u32 *to;
} Graph;

/* Makes g the graph of n nodes with the m edges, whose order is kept among
 * those of one node; equal edges stay apart.  The memory is a's. */
void graph_build(Graph *g, Arena *a, u32 n, const Arc *edges, u32 m);
/* Makes to the graph with every edge of g turned round. */
void graph_reverse(Graph *to, Arena *a, const Graph *g);

/* Strongly connected components, numbered from 0 in reverse topological order:
 * an edge between two of them goes from the higher number to the lower, so
 * that counting up visits callees before callers. */
typedef struct Sccs {
	u32 n;
	u32 *of;    /* of[node]: its component */
	u32 *first; /* n + 1 of them: component c is nodes[first[c]] to nodes[first[c + 1] - 1] */
	u32 *nodes; /* rising within a component */
} Sccs;

void graph_sccs(Sccs *s, Arena *a, const Graph *g);

/* Writes to order the nodes reachable from root in reverse postorder (root
 * first), and returns how many; order has room for g->n. */
u32 graph_rpo(const Graph *g, Arena *scratch, u32 root, u32 *order);

#define GRAPH_FOR(succ, g, x)                                                                      \
	for (u32 *succ = (g)->to + (g)->first[x]; succ < (g)->to + (g)->first[(x) + 1]; succ++)

#endif

/* graph.c - compressed rows by counting sort; components by Tarjan's algorithm
 * (SIAM J. Comput. 1972) with a stack of our own, since a call chain may be a
 * million deep.
 *
 * In Tarjan's walk low[x] is 0 before x is visited, its visit number or the
 * smallest one seen from it while it is on the stack, and DONE once its
 * component is known.  Every edge is looked at once, so it ends. */
#include "graph.h"

#include <string.h>

#define DONE UINT32_MAX

void
graph_build(Graph *g, Arena *a, u32 n, const Arc *edges, u32 m)
{
	assert(n < UINT32_MAX - 1);
	g->n = n;
	g->first = arena_array(a, u32, (size_t)n + 2);
	g->to = arena_array(a, u32, m);
	/* Counts are kept two places up, so that filling leaves first in place. */
	for (u32 i = 0; i < m; i++) {
		assert(edges[i].from < n && edges[i].to < n);
		g->first[edges[i].from + 2]++;
	}
	for (u32 x = 2; x <= n; x++)
		g->first[x] += g->first[x - 1];
	for (u32 i = 0; i < m; i++)
		g->to[g->first[edges[i].from + 1]++] = edges[i].to;
}

void
graph_reverse(Graph *to, Arena *a, const Graph *g)
{
	u32 m = g->n ? g->first[g->n] : 0;
	Arc *edges = arena_array(a, Arc, m);
	u32 k = 0;

	for (u32 x = 0; x < g->n; x++)
		for (u32 e = g->first[x]; e < g->first[x + 1]; e++)
			edges[k++] = (Arc){g->to[e], x};
	graph_build(to, a, g->n, edges, m);
	arena_recycle(a, edges, sizeof(Arc) * m);
}

typedef struct Walk {
	const Graph *g;
	Sccs *s;
	u32 *low;
	u32 *number; /* when a node was visited, from 1 */
	u32 *next;   /* the next edge of a node to look at */
	u32 *path;   /* nodes that are being visited, root first */
	u32 *stack;  /* nodes whose component is not known yet */
	u32 depth, height, visits;
} Walk;

static void
enter(Walk *w, u32 x)
{
	w->low[x] = w->number[x] = ++w->visits;
	w->next[x] = w->g->first[x];
	w->path[w->depth++] = x;
	w->stack[w->height++] = x;
}

/* Takes x's component, of which x was visited first, off the stack. */
static void
close_component(Walk *w, u32 x)
{
	u32 y;

	do {
		y = w->stack[--w->height];
		w->low[y] = DONE;
		w->s->of[y] = w->s->n;
	} while (y != x);
	w->s->n++;
}

/* Visits everything that root reaches.  A node whose low is still its own
 * number when it is left was the first of its component. */
static void
visit(Walk *w, u32 root)
{
	enter(w, root);
	while (w->depth) {
		u32 x = w->path[w->depth - 1];
		if (w->next[x] < w->g->first[x + 1]) {
			u32 y = w->g->to[w->next[x]++];
			if (!w->low[y])
				enter(w, y);
			else if (w->low[y] != DONE)
				w->low[x] = MIN(w->low[x], w->low[y]);
			continue;
		}
		w->depth--;
		if (w->depth) {
			u32 up = w->path[w->depth - 1];
			w->low[up] = MIN(w->low[up], w->low[x]);
		}
		if (w->low[x] == w->number[x])
			close_component(w, x);
	}
}

/* Lists the nodes of each component, by a counting sort on of. */
static void
list_members(Sccs *s, Arena *a, u32 n)
{
	s->first = arena_array(a, u32, (size_t)s->n + 2);
	s->nodes = arena_array(a, u32, n);
	for (u32 x = 0; x < n; x++)
		s->first[s->of[x] + 2]++;
	for (u32 c = 2; c <= s->n; c++)
		s->first[c] += s->first[c - 1];
	for (u32 x = 0; x < n; x++)
		s->nodes[s->first[s->of[x] + 1]++] = x;
}

void
graph_sccs(Sccs *s, Arena *a, const Graph *g)
{
	size_t size = sizeof(u32) * g->n;
	u32 *block[5];
	Walk w = {.g = g, .s = s};

	memset(s, 0, sizeof *s);
	s->of = arena_array(a, u32, g->n);
	for (u32 i = 0; i < COUNT(block); i++)
		block[i] = arena_alloc(a, size);
	w.low = block[0];
	w.next = block[1];
	w.path = block[2];
	w.stack = block[3];
	w.number = block[4];
	for (u32 x = 0; x < g->n; x++)
		if (!w.low[x])
			visit(&w, x);
	assert(!w.height && !w.depth);
	for (u32 i = 0; i < COUNT(block); i++)
		arena_recycle(a, block[i], size);
	list_members(s, a, g->n);
}

u32
graph_rpo(const Graph *g, Arena *scratch, u32 root, u32 *order)
{
	size_t size = sizeof(u32) * g->n;
	u32 *next = arena_alloc(scratch, size); /* edge to look at, + 1; 0: not visited */
	u32 *path = arena_alloc(scratch, size);
	u32 depth = 0, to = g->n;

	assert(root < g->n);
	path[depth++] = root;
	next[root] = g->first[root] + 1;
	while (depth) {
		u32 x = path[depth - 1];
		if (next[x] <= g->first[x + 1]) {
			u32 y = g->to[next[x]++ - 1];
			if (!next[y]) {
				next[y] = g->first[y] + 1;
				path[depth++] = y;
			}
		} else {
			order[--to] = x;
			depth--;
		}
	}
	memmove(order, order + to, sizeof *order * (g->n - to));
	arena_recycle(scratch, next, size);
	arena_recycle(scratch, path, size);
	return g->n - to;
}

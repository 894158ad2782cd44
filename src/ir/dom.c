/* dom.c - dominators by the semi-NCA algorithm (Georgiadis 2005).
 *
 * Nodes are renamed by their number in a depth-first walk from the root,
 * where every ancestor is smaller.  Semidominators are found from the highest
 * number down, over a forest whose paths are compressed; an immediate
 * dominator is then the nearest common ancestor of semidominator and parent
 * in the part of the tree that is already known.  O(m log n) whatever the
 * shape of the graph, which simple iteration is not: bodies come from
 * generated code too. */
#include "ir/dom.h"

#include "base/vec.h"

typedef struct Walk {
	const Graph *g, *pred;
	Arena *scratch;
	u32 n;       /* nodes reached */
	u32 *node;   /* [number] */
	u32 *num;    /* [node]: 0 not reached */
	u32 *parent; /* by number, as all below; 0 for the root, which is 1 */
	u32 *up;     /* parent, or an ancestor after compression */
	u32 *label;  /* of the path up: the number with the smallest semidominator */
	u32 *semi;
	u32 *dom;
	VecU32 stack;
} Walk;

static void
reach(Walk *w, u32 node, u32 parent)
{
	w->num[node] = ++w->n;
	w->node[w->n] = node;
	w->parent[w->n] = parent;
}

/* Numbers the nodes; a node is given its number when it is entered. */
static void
number(Walk *w, u32 root)
{
	u32 *next = arena_array(w->scratch, u32, w->g->n);

	reach(w, root, 0);
	vec_push(w->scratch, &w->stack, root);
	while (w->stack.n) {
		u32 x = w->stack.at[w->stack.n - 1];
		u32 at = w->g->first[x] + next[x];
		if (at == w->g->first[x + 1]) {
			w->stack.n--;
			continue;
		}
		next[x]++;
		if (!w->num[w->g->to[at]]) {
			reach(w, w->g->to[at], w->num[x]);
			vec_push(w->scratch, &w->stack, w->g->to[at]);
		}
	}
}

/* The number with the smallest semidominator on the path from v up to the
 * first one below `linked`; makes the path short. */
static u32
eval(Walk *w, u32 v, u32 linked)
{
	u32 top, best;

	if (w->up[v] < linked)
		return w->label[v];
	for (top = v; w->up[top] >= linked; top = w->up[top])
		vec_push(w->scratch, &w->stack, top);
	best = w->label[top];
	while (w->stack.n) {
		v = w->stack.at[--w->stack.n];
		w->up[v] = w->up[top];
		if (w->semi[best] < w->semi[w->label[v]])
			w->label[v] = best;
		else
			best = w->label[v];
		top = v;
	}
	return w->label[v];
}

static void
find_semis(Walk *w)
{
	for (u32 i = w->n; i > 1; i--) {
		w->semi[i] = w->parent[i];
		GRAPH_FOR (p, w->pred, w->node[i]) {
			u32 u;
			if (!w->num[*p])
				continue;
			u = w->semi[eval(w, w->num[*p], i + 1)];
			if (u < w->semi[i])
				w->semi[i] = u;
		}
	}
}

/* Sizes of subtrees give the numbers of a preorder without another walk. */
static void
number_tree(Doms *d, Walk *w)
{
	u32 *size = arena_array(w->scratch, u32, w->n + 1);
	u32 *next = arena_array(w->scratch, u32, w->n + 1);

	for (u32 i = w->n; i >= 1; i--) {
		size[i]++;
		size[w->dom[i]] += size[i]; /* [0] takes the root's */
	}
	next[0] = 1;
	for (u32 i = 1; i <= w->n; i++) {
		u32 at = next[w->dom[i]];
		next[w->dom[i]] += size[i];
		next[i] = at + 1;
		d->enter[w->node[i]] = at;
		d->leave[w->node[i]] = at + size[i];
		d->idom[w->node[i]] = w->dom[i] ? w->node[w->dom[i]] : 0;
	}
}

void
doms_build(Doms *d, Arena *a, Arena *scratch, const Graph *g, const Graph *pred, u32 root)
{
	Walk w = {.g = g, .pred = pred, .scratch = scratch};

	assert(root && root < g->n);
	d->n = g->n;
	d->idom = arena_array(a, u32, g->n);
	d->enter = arena_array(a, u32, g->n);
	d->leave = arena_array(a, u32, g->n);
	w.node = arena_array(scratch, u32, g->n + 1);
	w.num = arena_array(scratch, u32, g->n + 1);
	w.parent = arena_array(scratch, u32, g->n + 1);
	number(&w, root);
	w.up = arena_array(scratch, u32, w.n + 1);
	w.label = arena_array(scratch, u32, w.n + 1);
	w.semi = arena_array(scratch, u32, w.n + 1);
	w.dom = arena_array(scratch, u32, w.n + 1);
	for (u32 i = 1; i <= w.n; i++) {
		w.up[i] = w.dom[i] = w.parent[i];
		w.label[i] = w.semi[i] = i;
	}
	find_semis(&w);
	for (u32 i = 2; i <= w.n; i++)
		while (w.dom[i] > w.semi[i])
			w.dom[i] = w.dom[w.dom[i]];
	number_tree(d, &w);
}

/* cycle.c - finds the cycles of copy edges, merges each, orders the rest.
 *
 * Nodes on a cycle have equal sets in any solution, so merging them loses
 * nothing; an edge to a node with a limit (limit.c) that its source has not is
 * on none.  Called at intervals by solve_run; one call is linear in nodes and
 * edges.  Requires that no node is being propagated; afterwards every edge
 * names a live node, and all but those to a limit go from a lower order to a higher. */
#include "base/graph.h"
#include "pta/pta_int.h"

/* Rewrites x's edges to name live nodes other than x. */
static void
refresh(Solver *s, NodeId x)
{
	Set *succ = &s->node.at[x].succ, live = {0};
	bool stale = false;

	SET_FOR (it, succ)
		stale |= s->rep.at[it.x] != it.x || it.x == x;
	if (!stale)
		return;
	SET_FOR (it, succ) {
		NodeId y = node_find(s, it.x);
		if (y != x)
			set_add(s->a, &live, y);
	}
	set_recycle(s->a, succ);
	*succ = live;
}

/* May x and y, to which it flows, be on a cycle? */
static bool
flows(const Solver *s, NodeId x, NodeId y)
{
	return !s->node.at[y].limit || s->node.at[y].limit == s->node.at[x].limit;
}

/* The edges of x, of which those that cannot be on a cycle lead to x itself. */
static void
add_edges(Solver *s, Arena *scratch, NodeId x, VecU32 *to)
{
	refresh(s, x);
	SET_FOR (it, &s->node.at[x].succ)
		vec_push(scratch, to, flows(s, x, it.x) ? it.x : x);
}

static void
build(Solver *s, Arena *scratch, Graph *g)
{
	VecU32 to = {0};

	g->n = s->node.n;
	g->first = arena_array(scratch, u32, g->n + 1);
	for (NodeId x = 0; x < g->n; x++) {
		g->first[x] = to.n;
		if (s->rep.at[x] == x) /* the others have none */
			add_edges(s, scratch, x, &to);
	}
	g->first[g->n] = to.n;
	g->to = to.at;
}

u64
cycle_collapse(Solver *s, u32 *merged)
{
	Arena scratch;
	Graph g;
	Sccs sccs;
	u64 cost;

	arena_init(&scratch, s->a->budget);
	build(s, &scratch, &g);
	graph_sccs(&sccs, &scratch, &g);
	for (u32 c = 0; c < sccs.n; c++) {
		u32 first = sccs.first[c], n = sccs.first[c + 1] - first;
		NodeId x = sccs.nodes[first];
		if (n > 1)
			x = node_merge_all(s, sccs.nodes + first, n);
		*merged += n - 1;
		if (s->rep.at[x] == x) {
			s->node.at[x].order = sccs.n - c - 1;
			s->by_order.at[sccs.n - c - 1] = x;
		}
	}
	solve_requeue(s);
	cost = (u64)g.n + g.first[g.n];
	arena_release(&scratch);
	return cost;
}

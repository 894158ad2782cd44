/* test_graph.c - components and orders against reachability by closure. */
#include "unit.h"

#include "base/graph.h"

#include <string.h>

enum { MOST = 24 };

static void
close_over(bool reach[MOST][MOST], u32 n)
{
	for (u32 k = 0; k < n; k++)
		for (u32 x = 0; x < n; x++)
			for (u32 y = 0; y < n; y++)
				reach[x][y] |= reach[x][k] && reach[k][y];
}

static void
check_sccs(Arena *a, const Graph *g, bool reach[MOST][MOST])
{
	Sccs s;
	u32 seen = 0;

	graph_sccs(&s, a, g);
	for (u32 x = 0; x < g->n; x++) {
		for (u32 y = 0; y < g->n; y++)
			assert_int_equal(s.of[x] == s.of[y],
					 x == y || (reach[x][y] && reach[y][x]));
		GRAPH_FOR (y, g, x)
			assert_true(s.of[x] >= s.of[*y]);
	}
	for (u32 c = 0; c < s.n; c++) {
		assert_true(s.first[c] < s.first[c + 1]);
		for (u32 i = s.first[c]; i < s.first[c + 1]; i++, seen++) {
			assert_int_equal(s.of[s.nodes[i]], c);
			assert_true(i == s.first[c] || s.nodes[i - 1] < s.nodes[i]);
		}
	}
	assert_int_equal(seen, g->n);
}

/* Every reachable node once; a node before those that it alone leads to: an
 * edge goes back in the order only if it closes a cycle. */
static void
check_rpo(Arena *a, const Graph *g, bool reach[MOST][MOST], u32 root)
{
	u32 order[MOST], at[MOST] = {0};
	u32 n = graph_rpo(g, a, root, order);

	assert_int_equal(order[0], root);
	for (u32 i = 0; i < n; i++) {
		assert_int_equal(at[order[i]], 0);
		at[order[i]] = i + 1;
	}
	for (u32 x = 0; x < g->n; x++) {
		assert_int_equal(at[x] != 0, x == root || reach[root][x]);
		if (!at[x])
			continue;
		GRAPH_FOR (y, g, x)
			assert_true(at[x] < at[*y] || reach[*y][x] || x == *y);
	}
}

static void
random_graphs(void **state)
{
	Rand r = {6};
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	for (u32 round = 0; round < 2000; round++) {
		u32 n = 1 + rand_below(&r, MOST), m = rand_below(&r, 2 * n + 1);
		bool reach[MOST][MOST] = {{0}}, edge[MOST][MOST] = {{0}};
		Arc edges[2 * MOST];
		Graph g, back;
		for (u32 i = 0; i < m; i++) {
			edges[i] = (Arc){rand_below(&r, n), rand_below(&r, n)};
			reach[edges[i].from][edges[i].to] = true;
		}
		memcpy(edge, reach, sizeof edge);
		close_over(reach, n);
		graph_build(&g, &a, n, edges, m);
		graph_reverse(&back, &a, &g);
		assert_int_equal(g.first[n], m);
		assert_int_equal(back.first[n], m);
		for (u32 x = 0; x < n; x++) {
			GRAPH_FOR (y, &g, x)
				assert_true(edge[x][*y]);
			GRAPH_FOR (y, &back, x)
				assert_true(edge[*y][x]);
		}
		check_sccs(&a, &g, reach);
		check_rpo(&a, &g, reach, rand_below(&r, n));
	}
	arena_release(&a);
}

/* A chain of a million nodes, open and closed to one component. */
static void
deep(void **state)
{
	enum { N = 1000000 };
	Arc *edges;
	u32 *order;
	Graph g;
	Sccs s;
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	edges = arena_array(&a, Arc, N);
	order = arena_array(&a, u32, N);
	for (u32 i = 0; i < N; i++)
		edges[i] = (Arc){i, (i + 1) % N};
	graph_build(&g, &a, N, edges, N - 1);
	graph_sccs(&s, &a, &g);
	assert_int_equal(s.n, N);
	assert_int_equal(s.of[0], N - 1);
	assert_int_equal(graph_rpo(&g, &a, 0, order), N);
	assert_int_equal(order[N - 1], N - 1);
	graph_build(&g, &a, N, edges, N);
	graph_sccs(&s, &a, &g);
	assert_int_equal(s.n, 1);
	arena_release(&a);
}

static void
empty(void **state)
{
	Graph g;
	Sccs s;
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	graph_build(&g, &a, 0, NULL, 0);
	graph_sccs(&s, &a, &g);
	assert_int_equal(s.n, 0);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(random_graphs),
	    cmocka_unit_test(deep),
	    cmocka_unit_test(empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

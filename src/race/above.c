/* above.c - who calls whom, directly or not.
 *
 * The call graph without forks, condensed: functions that call each other are
 * one component, and a component knows each of its calling components once.
 * In a large program thousands of functions call each other through tables of
 * pointers; what is asked about one of them is then answered for all.
 *
 * A clone has one caller, and so have most functions of a file: what is above them
 * is kept for the first component on the way up that several call, or else each of
 * them had a set as large as the program. */
#include "race/above.h"

#include "base/graph.h"

#include <stdlib.h>

struct Above {
	Arena *arena;
	Sccs sccs;
	Graph callers; /* of components */
	Set **above;   /* [component]: found on first use, where not only one calls it */
};

static int
arc_cmp(const void *x, const void *y)
{
	const Arc *a = x, *b = y;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->to < b->to ? -1 : a->to > b->to;
}

/* Turns the calls round, from component to component, each once. */
static void
condense(Above *ab, Arc *arcs, u32 n)
{
	u32 m = 0, to = 0;

	for (u32 i = 0; i < n; i++) {
		Arc up = {ab->sccs.of[arcs[i].to], ab->sccs.of[arcs[i].from]};
		if (up.from != up.to)
			arcs[m++] = up;
	}
	if (m)
		qsort(arcs, m, sizeof *arcs, arc_cmp);
	for (u32 i = 0; i < m; i++)
		if (!i || arc_cmp(&arcs[i], &arcs[to - 1]))
			arcs[to++] = arcs[i];
	graph_build(&ab->callers, ab->arena, ab->sccs.n, arcs, to);
}

Above *
above_new(Arena *a, const Pta *p)
{
	Above *ab = arena_new(a, Above);
	Arena mine;
	Vec(Arc) calls = {0};
	Graph g;

	ab->arena = a;
	arena_init(&mine, a->budget);
	for (u32 e = 0; e < p->edges.n; e++)
		if (!p->edges.at[e].fork)
			vec_push(&mine, &calls, (Arc){p->edges.at[e].from, p->edges.at[e].to});
	graph_build(&g, &mine, p->insts.n, calls.at, calls.n);
	graph_sccs(&ab->sccs, a, &g);
	condense(ab, calls.at, calls.n);
	ab->above = arena_array(a, Set *, ab->sccs.n);
	arena_release(&mine);
	return ab;
}

/* The only component that calls c; 0, which calls none, if there are none or several. */
static u32
only_caller(const Above *ab, u32 c)
{
	const u32 *first = &ab->callers.first[c];

	return first[1] - first[0] == 1 ? ab->callers.to[first[0]] : 0;
}

/* Adds to s, which has those above each of its own, c and those above it. */
static void
climb(Above *ab, u32 c, Set *s)
{
	VecU32 work = {0};

	if (set_add(ab->arena, s, c))
		vec_push(ab->arena, &work, c);
	while (work.n) {
		u32 x = work.at[--work.n];
		GRAPH_FOR (up, &ab->callers, x)
			if (set_add(ab->arena, s, *up))
				vec_push(ab->arena, &work, *up);
	}
	arena_recycle(ab->arena, work.at, work.cap * sizeof *work.at);
}

static const Set *
above_of(Above *ab, u32 c)
{
	if (!ab->above[c]) {
		ab->above[c] = arena_new(ab->arena, Set);
		climb(ab, c, ab->above[c]);
	}
	return ab->above[c];
}

void
above_add(Above *ab, InstId inst, Set *out)
{
	u32 c = ab->sccs.of[inst];

	for (u32 up; !set_has(out, c) && (up = only_caller(ab, c)); c = up)
		set_add(ab->arena, out, c);
	if (set_has(out, c))
		return;
	set_or(ab->arena, out, above_of(ab, c));
}

void
above_add_all(Above *ab, const VecU32 *insts, Set *out)
{
	for (u32 i = 0; i < insts->n; i++)
		climb(ab, ab->sccs.of[insts->at[i]], out);
}

bool
above_calls(Above *ab, InstId from, InstId to)
{
	u32 c = ab->sccs.of[to], end = ab->sccs.of[from], up;

	/* Who calls has a higher number. */
	while (c < end && (up = only_caller(ab, c)))
		c = up;
	return c == end || (c < end && set_has(above_of(ab, c), end));
}

bool
above_has(const Above *ab, const Set *s, InstId inst)
{
	return set_has(s, ab->sccs.of[inst]);
}

/* walk.c - dominators and reachability for the reasons.
 *
 * Dominators by Cooper, Harvey and Kennedy's iteration over reverse
 * postorder: immediate dominators only move towards the entry, so it ends.
 * Reachability is decided by dominators and by the order of the strongly
 * connected components where they can, and else searched backwards: who asks
 * for one target asks for many starts, so the last search is kept.  Loops are the natural ones: each
 * has a head that dominates it.  Outer ones are marked before inner ones, which then mark blocks anew. */
#include "race/walk.h"

#include "base/graph.h"
#include "base/vec.h"

#include <string.h>

typedef struct Cfg {
	u32 n;      /* blocks, from 1 */
	u32 *first; /* [block]: its predecessors are pred[first[b]] to pred[first[b + 1] - 1] */
	BlockId *pred;
	u32 *rank;       /* [block]: place in reverse postorder, from 1; 0: unreachable */
	BlockId *idom;   /* [block] */
	u32 *enter;      /* [block]: preorder number in the dominator tree */
	u32 *below;      /* [block]: blocks that it dominates, itself included */
	bool *cyclic;    /* [block]: in a cycle; null until somebody asks */
	u32 *scc;        /* [block]: its component; a path leads from higher ones to lower */
	BlockId *head;   /* [block]: of the innermost loop around it; null until somebody asks */
	BlockId *around; /* [block]: if it heads a loop, the head of the next around that */
	BlockId to;      /* the block of the last search, and */
	bool *leads;     /* [block]: whether a path leads there */
} Cfg;

struct Walk {
	const Ir *ir;
	Arena *arena;
	Cfg **at; /* [FnId] */
};

Walk *
walk_new(Arena *a, const Ir *ir)
{
	Walk *w = arena_new(a, Walk);

	w->ir = ir;
	w->arena = a;
	w->at = arena_array(a, Cfg *, ir->fns.n + 1);
	return w;
}

static u32
succ_count(const Block *b)
{
	return b->nsucc + (b->exc != 0);
}

static BlockId
succ_at(const Ir *ir, const Block *b, u32 k)
{
	return k < b->nsucc ? ir->succs.at[b->succ + k] : b->exc;
}

static void
find_preds(Walk *w, const Fn *fn, Cfg *c)
{
	u32 *fill;

	c->first = arena_array(w->arena, u32, c->n + 2);
	for (BlockId b = 1; b <= c->n; b++) {
		const Block *bl = fn_block(w->ir, fn, b);

		for (u32 k = 0; k < succ_count(bl); k++)
			c->first[succ_at(w->ir, bl, k) + 1]++;
	}
	for (BlockId b = 1; b <= c->n + 1; b++)
		c->first[b] += c->first[b - 1];
	c->pred = arena_array(w->arena, BlockId, c->first[c->n + 1] + 1);
	fill = arena_array(w->arena, u32, c->n + 2);
	for (BlockId b = 1; b <= c->n; b++) {
		const Block *bl = fn_block(w->ir, fn, b);

		for (u32 k = 0; k < succ_count(bl); k++) {
			BlockId s = succ_at(w->ir, bl, k);

			c->pred[c->first[s] + fill[s]++] = b;
		}
	}
	arena_recycle(w->arena, fill, sizeof(u32) * (c->n + 2));
}

/* Numbers the blocks in reverse postorder; order[rank - 1] is the block. */
static u32
number(Walk *w, const Fn *fn, Cfg *c, BlockId *order)
{
	u32 *next = arena_array(w->arena, u32, c->n + 1);
	BlockId *stack = arena_array(w->arena, BlockId, c->n + 1);
	bool *seen = arena_array(w->arena, bool, c->n + 1);
	u32 depth = 0, at = c->n, n;

	stack[depth++] = 1;
	seen[1] = true;
	while (depth) {
		BlockId b = stack[depth - 1];
		const Block *bl = fn_block(w->ir, fn, b);

		if (next[b] < succ_count(bl)) {
			BlockId s = succ_at(w->ir, bl, next[b]++);

			if (!seen[s]) {
				seen[s] = true;
				stack[depth++] = s;
			}
			continue;
		}
		order[--at] = b;
		depth--;
	}
	n = c->n - at;
	for (u32 i = 0; i < n; i++) {
		order[i] = order[at + i];
		c->rank[order[i]] = i + 1;
	}
	return n;
}

static BlockId
common(const Cfg *c, BlockId x, BlockId y)
{
	while (x != y) {
		while (c->rank[x] > c->rank[y])
			x = c->idom[x];
		while (c->rank[y] > c->rank[x])
			y = c->idom[y];
	}
	return x;
}

static void
find_idoms(Cfg *c, const BlockId *order, u32 n)
{
	bool changed = true;

	c->idom[1] = 1;
	while (changed) {
		changed = false;
		for (u32 i = 1; i < n; i++) {
			BlockId b = order[i], d = 0;

			for (u32 k = c->first[b]; k < c->first[b + 1]; k++) {
				BlockId p = c->pred[k];

				if (c->rank[p] && c->idom[p])
					d = d ? common(c, d, p) : p;
			}
			if (c->idom[b] != d) {
				c->idom[b] = d;
				changed = true;
			}
		}
	}
}

/* Numbers the dominator tree.  A block comes behind its dominator in order, so
 * one pass from the end finds the sizes and one from the start the numbers. */
static void
number_tree(Walk *w, Cfg *c, const BlockId *order, u32 n)
{
	u32 *next = arena_array(w->arena, u32, c->n + 1);

	for (u32 i = n; i-- > 1;) {
		c->below[order[i]]++;
		c->below[c->idom[order[i]]] += c->below[order[i]];
	}
	c->below[1]++;
	c->enter[1] = 1;
	next[1] = 2;
	for (u32 i = 1; i < n; i++) {
		BlockId b = order[i], d = c->idom[b];
		c->enter[b] = next[d];
		next[d] += c->below[b];
		next[b] = c->enter[b] + 1;
	}
	arena_recycle(w->arena, next, sizeof(u32) * (c->n + 1));
}

static Cfg *
cfg_of(Walk *w, FnId f)
{
	const Fn *fn = &w->ir->fns.at[f];
	BlockId *order;
	u32 n;
	Cfg *c = w->at[f];

	if (c)
		return c;
	c = w->at[f] = arena_new(w->arena, Cfg);
	c->n = fn->nblock;
	find_preds(w, fn, c);
	c->rank = arena_array(w->arena, u32, c->n + 1);
	c->idom = arena_array(w->arena, BlockId, c->n + 1);
	c->enter = arena_array(w->arena, u32, c->n + 1);
	c->below = arena_array(w->arena, u32, c->n + 1);
	order = arena_array(w->arena, BlockId, c->n + 1);
	if (c->n) {
		n = number(w, fn, c, order);
		find_idoms(c, order, n);
		number_tree(w, c, order, n);
	}
	arena_recycle(w->arena, order, sizeof(BlockId) * (c->n + 1));
	return c;
}

BlockId
walk_block(Walk *w, FnId f, InsId ins)
{
	const Fn *fn = &w->ir->fns.at[f];
	u32 lo = 1, hi = fn->nblock;

	assert(ins >= fn->ins && ins < fn->ins + fn->nins);
	while (lo < hi) {
		u32 mid = (lo + hi + 1) / 2;

		if (fn_block(w->ir, fn, mid)->ins <= ins)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

bool
walk_block_dominates(Walk *w, FnId fn, BlockId a, BlockId b)
{
	const Cfg *c = cfg_of(w, fn);

	return c->rank[a] && c->rank[b] && c->enter[a] <= c->enter[b] &&
	       c->enter[b] < c->enter[a] + c->below[a];
}

BlockId
walk_idom(Walk *w, FnId fn, BlockId block)
{
	const Cfg *c = cfg_of(w, fn);

	return block != 1 && c->rank[block] ? c->idom[block] : 0;
}

bool
walk_dominates(Walk *w, FnId fn, InsId a, InsId b)
{
	BlockId ba = walk_block(w, fn, a), bb = walk_block(w, fn, b);

	return ba == bb ? a < b : walk_block_dominates(w, fn, ba, bb);
}

/* A block is in a cycle if its component has another, or an edge to itself. */
static void
find_cycles(Walk *w, const Fn *fn, Cfg *c)
{
	Vec(Arc) arcs = {0};
	Arena scratch;
	Graph g;
	Sccs s;

	arena_init(&scratch, w->arena->budget);
	c->cyclic = arena_array(w->arena, bool, c->n + 1);
	for (BlockId b = 1; b <= c->n; b++) {
		const Block *bl = fn_block(w->ir, fn, b);
		for (u32 k = 0; k < succ_count(bl); k++) {
			BlockId to = succ_at(w->ir, bl, k);
			vec_push(&scratch, &arcs, (Arc){b, to});
			c->cyclic[b] |= to == b;
		}
	}
	graph_build(&g, &scratch, c->n + 1, arcs.at, arcs.n);
	graph_sccs(&s, &scratch, &g);
	c->scc = arena_array(w->arena, u32, c->n + 1);
	for (BlockId b = 1; b <= c->n; b++) {
		c->scc[b] = s.of[b];
		c->cyclic[b] |= s.first[s.of[b] + 1] - s.first[s.of[b]] > 1;
	}
	arena_release(&scratch);
}

bool
walk_cyclic(Walk *w, FnId fn, BlockId block)
{
	Cfg *c = cfg_of(w, fn);

	if (!c->cyclic)
		find_cycles(w, &w->ir->fns.at[fn], c);
	return c->cyclic[block];
}

/* Marks the blocks from which a path of at least one edge leads to y. */
static void
search(Walk *w, Cfg *c, BlockId y)
{
	BlockId *stack = arena_array(w->arena, BlockId, c->n + 1);
	u32 depth = 0;

	if (!c->leads)
		c->leads = arena_array(w->arena, bool, c->n + 1);
	memset(c->leads, 0, (c->n + 1) * sizeof *c->leads);
	c->to = y;
	stack[depth++] = y;
	while (depth) {
		BlockId b = stack[--depth];

		for (u32 k = c->first[b]; k < c->first[b + 1]; k++)
			if (!c->leads[c->pred[k]]) {
				c->leads[c->pred[k]] = true;
				stack[depth++] = c->pred[k];
			}
	}
	arena_recycle(w->arena, stack, sizeof(BlockId) * (c->n + 1));
}

/* Can a path of at least one edge lead from block x to block y? */
static bool
leads(Walk *w, FnId fn, BlockId x, BlockId y)
{
	Cfg *c = cfg_of(w, fn);
	bool cyclic = walk_cyclic(w, fn, x); /* finds the components too */

	if (c->scc[x] == c->scc[y])
		return cyclic;
	if (c->scc[x] < c->scc[y])
		return false;
	if (walk_block_dominates(w, fn, x, y))
		return true;
	if (c->to != y)
		search(w, c, y);
	return c->leads[x];
}

bool
walk_block_reaches(Walk *w, FnId fn, BlockId a, BlockId b)
{
	return a == b || leads(w, fn, a, b);
}

bool
walk_reaches(Walk *w, FnId fn, InsId a, InsId b)
{
	BlockId ba = walk_block(w, fn, a), bb = walk_block(w, fn, b);

	return (ba == bb && a < b) || leads(w, fn, ba, bb);
}

const BlockId *
walk_preds(Walk *w, FnId fn, BlockId block, u32 *n)
{
	const Cfg *c = cfg_of(w, fn);

	*n = c->first[block + 1] - c->first[block];
	return c->pred + c->first[block];
}

/* Marks what leads to an edge back to the head, without leading through that. */
static void
mark_loop(Walk *w, Cfg *c, FnId fn, BlockId head)
{
	BlockId *stack = arena_array(w->arena, BlockId, c->n + 1);
	BlockId outer = c->head[head];
	u32 depth = 0;
	bool is_loop = false;

	for (u32 k = c->first[head]; k < c->first[head + 1]; k++) {
		BlockId b = c->pred[k];
		if (b != head && !walk_block_dominates(w, fn, head, b))
			continue;
		is_loop = true;
		if (c->head[b] == outer && b != head) {
			c->head[b] = head;
			stack[depth++] = b;
		}
	}
	if (is_loop) {
		c->head[head] = head;
		c->around[head] = outer;
	}
	while (depth) {
		BlockId b = stack[--depth];
		for (u32 k = c->first[b]; k < c->first[b + 1]; k++)
			if (c->head[c->pred[k]] == outer && c->rank[c->pred[k]]) {
				c->head[c->pred[k]] = head;
				stack[depth++] = c->pred[k];
			}
	}
	arena_recycle(w->arena, stack, sizeof(BlockId) * (c->n + 1));
}

BlockId
walk_loop(Walk *w, FnId fn, BlockId block)
{
	Cfg *c = cfg_of(w, fn);
	BlockId *order;

	if (!c->head) {
		order = arena_array(w->arena, BlockId, c->n + 1);
		c->head = arena_array(w->arena, BlockId, c->n + 1);
		c->around = arena_array(w->arena, BlockId, c->n + 1);
		for (BlockId b = 1; b <= c->n; b++)
			if (c->rank[b])
				order[c->rank[b] - 1] = b;
		for (u32 k = 0; k < c->n && order[k]; k++)
			mark_loop(w, c, fn, order[k]); /* outer before inner */
		arena_recycle(w->arena, order, sizeof(BlockId) * (c->n + 1));
	}
	return c->head[block];
}

BlockId
walk_loop_around(Walk *w, FnId fn, BlockId head)
{
	(void)walk_loop(w, fn, head);
	return cfg_of(w, fn)->around[head];
}

bool
walk_in_loop(Walk *w, FnId fn, BlockId head, BlockId block)
{
	BlockId at = walk_loop(w, fn, block);

	while (at && at != head)
		at = walk_loop_around(w, fn, at);
	return at == head;
}

bool
walk_reaches_in_round(Walk *w, FnId fn, InsId a, InsId b)
{
	Cfg *c = cfg_of(w, fn);
	BlockId from = walk_block(w, fn, a), to = walk_block(w, fn, b);
	BlockId head = walk_loop(w, fn, from);
	bool *seen, found = false;
	BlockId *stack;
	u32 depth = 0;

	while (head && !walk_in_loop(w, fn, head, to))
		head = c->around[head];
	if (!head || (from == to && a < b))
		return walk_reaches(w, fn, a, b);
	seen = arena_array(w->arena, bool, c->n + 1);
	stack = arena_array(w->arena, BlockId, c->n + 1);
	stack[depth++] = from;
	while (depth && !found) {
		const Block *bl = fn_block(w->ir, &w->ir->fns.at[fn], stack[--depth]);
		for (u32 k = 0; k < succ_count(bl); k++) {
			BlockId s = succ_at(w->ir, bl, k);
			if (s == head || seen[s])
				continue;
			seen[s] = true;
			found |= s == to;
			stack[depth++] = s;
		}
	}
	arena_recycle(w->arena, stack, sizeof(BlockId) * (c->n + 1));
	arena_recycle(w->arena, seen, sizeof(bool) * (c->n + 1));
	return found;
}

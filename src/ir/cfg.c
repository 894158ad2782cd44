/* cfg.c - see cfg.h.
 *
 * Loops are found as LLVM's CycleInfo does: candidates for a header are tried
 * from the last in depth-first preorder to the first, so inner loops come
 * before outer ones; from the sources of edges back to the header the graph is
 * walked against its edges, an inner loop being one step.  Each block and loop
 * is entered once, so it is near-linear, and it covers irreducible graphs. */
#include "ir/cfg.h"

#include "base/vec.h"

#include <string.h>

bool
ins_may_throw(const Ins *i)
{
	return i->flags & INS_THROWS || i->op == OP_THROW || i->op == OP_CINIT ||
	       (i->op == OP_FILTER && !i->sub);
}

BlockId
cfg_block_of(const Ir *ir, const Fn *fn, InsId i)
{
	BlockId lo = 1, hi = fn->nblock;

	assert(i >= fn->ins && i < fn->ins + fn->nins);
	while (lo < hi) { /* blocks are in the order of their instructions */
		BlockId mid = lo + (hi - lo + 1) / 2;
		if (fn_block(ir, fn, mid)->ins <= i)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

/* ---- edges -------------------------------------------------------------- */

typedef Vec(Arc) Arcs;

/* The edges of the function, each once; mark[to] is the last block that had
 * one there. */
static void
collect_edges(const Ir *ir, const Fn *fn, Arena *scratch, Arcs *arcs)
{
	u32 *mark = arena_array(scratch, u32, fn->nblock + 1);

	for (BlockId b = 1; b <= fn->nblock; b++) {
		const Block *block = fn_block(ir, fn, b);
		for (u32 k = 0; k <= block->nsucc; k++) {
			BlockId to = k < block->nsucc ? ir->succs.at[block->succ + k] : block->exc;
			if (!to || mark[to] == b)
				continue;
			mark[to] = b;
			vec_push(scratch, arcs, (Arc){b, to});
		}
	}
}

void
cfg_graph(Graph *g, Arena *a, const Ir *ir, const Fn *fn)
{
	Arcs arcs = {0};

	collect_edges(ir, fn, a, &arcs);
	graph_build(g, a, fn->nblock + 1, arcs.at, arcs.n);
}

/* Says whether control may leave the function from b. */
static bool
leaves(const Cfg *c, BlockId b)
{
	const Block *block = fn_block(c->ir, c->fn, b);

	if (!block->nsucc)
		return !(block->exc && ir_ins(c->ir, block->ins + block->nins - 1)->op == OP_THROW);
	for (u32 k = 0; !block->exc && k < block->nins; k++)
		if (ins_may_throw(ir_ins(c->ir, block->ins + k)))
			return true;
	return false;
}

static void
build_order(Cfg *c, Arena *a, Arena *scratch)
{
	c->rpo = arena_array(a, BlockId, c->fn->nblock + 1);
	c->rank = arena_array(a, u32, c->fn->nblock + 2);
	c->nrpo = graph_rpo(&c->succ, scratch, 1, c->rpo);
	for (u32 k = 0; k < c->nrpo; k++)
		c->rank[c->rpo[k]] = k + 1;
}

/* Post-dominators are dominators of the graph turned round, from the exit. */
static void
build_post(Cfg *c, Arena *a, Arena *scratch, Arcs *arcs)
{
	Graph forth, back;

	for (BlockId b = 1; b <= c->fn->nblock; b++)
		if (leaves(c, b))
			vec_push(scratch, arcs, (Arc){b, c->exit});
	graph_build(&forth, scratch, c->exit + 1, arcs->at, arcs->n);
	graph_reverse(&back, scratch, &forth);
	doms_build(&c->post, a, scratch, &back, &forth, c->exit);
}

/* ---- loops -------------------------------------------------------------- */

typedef struct Cycle {
	BlockId header;
	u32 outer;      /* 0: none yet */
	u32 top;        /* towards the outermost one; compressed */
	VecU32 entries; /* blocks with a predecessor outside */
} Cycle;

typedef struct Finder {
	Cfg *c;
	Arena *scratch;
	u32 *pre, *last; /* [block]: preorder number from 1, and the last one below it */
	BlockId *by_pre;
	u32 n;
	Vec(Cycle) cycles; /* from 1; inner before outer */
	u32 *cycle_of;     /* [block]: innermost */
	VecU32 work;
} Finder;

static void
walk_depth_first(Finder *f)
{
	const Graph *g = &f->c->succ;
	u32 *next = arena_array(f->scratch, u32, g->n);

	f->by_pre[f->pre[1] = ++f->n] = 1;
	vec_push(f->scratch, &f->work, 1);
	while (f->work.n) {
		BlockId b = f->work.at[f->work.n - 1], to;
		if (g->first[b] + next[b] == g->first[b + 1]) {
			f->last[b] = f->n;
			f->work.n--;
			continue;
		}
		to = g->to[g->first[b] + next[b]++];
		if (f->pre[to])
			continue;
		f->by_pre[f->pre[to] = ++f->n] = to;
		vec_push(f->scratch, &f->work, to);
	}
}

static bool
is_below(const Finder *f, BlockId header, BlockId b)
{
	return f->pre[b] >= f->pre[header] && f->pre[b] <= f->last[header];
}

static u32
outermost(Finder *f, BlockId b)
{
	u32 x = f->cycle_of[b], top;

	if (!x)
		return 0;
	for (top = x; f->cycles.at[top].top != top; top = f->cycles.at[top].top)
		;
	while (x != top) {
		u32 up = f->cycles.at[x].top;
		f->cycles.at[x].top = top;
		x = up;
	}
	return top;
}

/* Continues from b against the edges, within what the header of cycle
 * reaches; an edge from elsewhere makes b an entry. */
static void
walk_back(Finder *f, u32 cycle, BlockId b)
{
	Cycle *y = &f->cycles.at[cycle];
	bool entry = false;

	GRAPH_FOR (p, &f->c->pred, b) {
		if (!f->pre[*p])
			continue;
		if (is_below(f, y->header, *p))
			vec_push(f->scratch, &f->work, *p);
		else
			entry = true;
	}
	if (entry)
		vec_push(f->scratch, &y->entries, b);
}

static void
grow_cycle(Finder *f, u32 cycle)
{
	while (f->work.n) {
		BlockId b = f->work.at[--f->work.n];
		u32 top = outermost(f, b);

		if (top == cycle)
			continue;
		if (!top) {
			f->cycle_of[b] = cycle;
			walk_back(f, cycle, b);
			continue;
		}
		f->cycles.at[top].outer = f->cycles.at[top].top = cycle;
		/* its header is an entry too, with or without an edge from outside */
		walk_back(f, cycle, f->cycles.at[top].header);
		for (u32 k = 0; k < f->cycles.at[top].entries.n; k++)
			walk_back(f, cycle, f->cycles.at[top].entries.at[k]);
	}
}

static void
find_cycles(Finder *f)
{
	vec_push(f->scratch, &f->cycles, (Cycle){0});
	for (u32 i = f->n; i >= 1; i--) {
		BlockId header = f->by_pre[i];
		u32 cycle = f->cycles.n;

		GRAPH_FOR (p, &f->c->pred, header)
			if (f->pre[*p] && is_below(f, header, *p))
				vec_push(f->scratch, &f->work, *p);
		if (!f->work.n)
			continue;
		vec_push(f->scratch, &f->cycles, (Cycle){.header = header, .top = cycle});
		f->cycle_of[header] = cycle;
		grow_cycle(f, cycle);
	}
}

/* Numbers the loops by their headers' rank; an outer header comes first. */
static void
number_loops(Finder *f, Arena *a)
{
	Cfg *c = f->c;
	u32 *id = arena_array(f->scratch, u32, f->cycles.n);

	c->loops = arena_array(a, Loop, f->cycles.n);
	for (u32 k = 0; k < c->nrpo; k++) {
		u32 x = f->cycle_of[c->rpo[k]];
		if (x && f->cycles.at[x].header == c->rpo[k])
			id[x] = ++c->nloop;
	}
	for (u32 x = 1; x < f->cycles.n; x++) {
		Loop *l = &c->loops[id[x]];
		l->header = f->cycles.at[x].header;
		l->parent = id[f->cycles.at[x].outer];
		for (u32 k = 0; k < f->cycles.at[x].entries.n; k++)
			l->irreducible |= f->cycles.at[x].entries.at[k] != l->header;
	}
	for (BlockId b = 1; b <= c->fn->nblock; b++)
		c->loop_of[b] = id[f->cycle_of[b]];
}

/* Preorder numbers in the forest of loops, so that `within` is a comparison,
 * and ranges of blocks, an inner loop's behind the outer one's own. */
static void
place_loops(Cfg *c, Arena *a, Arena *scratch)
{
	u32 *size = arena_array(scratch, u32, c->nloop + 1);
	u32 *next = arena_array(scratch, u32, c->nloop + 1);
	u32 *room = arena_array(scratch, u32, c->nloop + 1); /* where the next inner loop goes */

	for (u32 k = 0; k < c->nrpo; k++)
		c->loops[c->loop_of[c->rpo[k]]].nblock++;
	for (u32 l = 1; l <= c->nloop; l++)
		next[l] = c->loops[l].nblock; /* its own */
	for (u32 l = c->nloop; l >= 1; l--) {
		size[l]++;
		size[c->loops[l].parent] += size[l];
		if (c->loops[l].parent)
			c->loops[c->loops[l].parent].nblock += c->loops[l].nblock;
	}
	c->loops[0] = (Loop){.last = 1};
	for (u32 l = 1; l <= c->nloop; l++) {
		Loop *x = &c->loops[l], *up = &c->loops[x->parent];
		x->depth = x->parent ? up->depth + 1 : 1;
		x->first = up->last; /* serves as the next free number until all are placed */
		up->last += size[l];
		x->last = x->first + 1;
		x->block = room[x->parent];
		room[x->parent] += x->nblock;
		room[l] = x->block + next[l];
		next[l] = x->block;
	}
	c->loop_blocks = arena_array(a, BlockId, c->nrpo + 1);
	for (u32 k = 0; k < c->nrpo; k++)
		if (c->loop_of[c->rpo[k]])
			c->loop_blocks[next[c->loop_of[c->rpo[k]]]++] = c->rpo[k];
}

static void
find_exits(Cfg *c, Arena *a)
{
	u32 n = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (u32 k = 0; k < c->nrpo; k++) {
			BlockId b = c->rpo[k];
			GRAPH_FOR (to, &c->succ, b)
				for (u32 l = c->loop_of[b]; l && !cfg_loop_has(c, l, *to);
				     l = c->loops[l].parent) {
					Loop *x = &c->loops[l];
					if (pass)
						c->loop_exits[x->exit + x->nexit] = (Arc){b, *to};
					x->nexit++;
				}
		}
		for (u32 l = 1; !pass && l <= c->nloop; l++) {
			c->loops[l].exit = n;
			n += c->loops[l].nexit;
			c->loops[l].nexit = 0;
		}
		if (!pass)
			c->loop_exits = arena_array(a, Arc, n + 1);
	}
}

static void
build_loops(Cfg *c, Arena *a, Arena *scratch)
{
	Finder f = {.c = c, .scratch = scratch};
	u32 n = c->fn->nblock + 2;

	c->loop_of = arena_array(a, u32, n);
	f.pre = arena_array(scratch, u32, n);
	f.last = arena_array(scratch, u32, n);
	f.by_pre = arena_array(scratch, BlockId, n);
	f.cycle_of = arena_array(scratch, u32, n);
	walk_depth_first(&f);
	find_cycles(&f);
	number_loops(&f, a);
	place_loops(c, a, scratch);
	find_exits(c, a);
}

void
cfg_build(Cfg *c, Arena *a, const Ir *ir, const Fn *fn)
{
	Arena scratch;
	Arcs arcs = {0};

	assert(fn->nblock);
	memset(c, 0, sizeof *c);
	arena_init(&scratch, a->budget);
	c->ir = ir;
	c->fn = fn;
	c->exit = fn->nblock + 1;
	collect_edges(ir, fn, &scratch, &arcs);
	graph_build(&c->succ, a, fn->nblock + 1, arcs.at, arcs.n);
	graph_reverse(&c->pred, a, &c->succ);
	build_order(c, a, &scratch);
	doms_build(&c->dom, a, &scratch, &c->succ, &c->pred, 1);
	build_loops(c, a, &scratch);
	build_post(c, a, &scratch, &arcs);
	arena_release(&scratch);
}

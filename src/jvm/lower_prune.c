/* lower_prune.c - drops exception edges that nothing takes.
 *
 * Interpretation has to say early what may throw: a division whose divisor
 * turns out to be a number, a class that was initialised before.  When all is
 * emitted, blocks without a throwing instruction lose their handler, and what
 * is then not reachable any more is left out, with its values in phis. */
#include "ir/cfg.h"
#include "jvm/lower_int.h"

static bool
throws(const Lower *l, const LBlock *b)
{
	for (u32 k = b->ins; k < b->ins + b->nins; k++)
		if (ins_may_throw(&l->ins.at[k]))
			return true;
	return false;
}

static u32
block_of(const Lower *l, u32 target)
{
	return target & TO_BLOCK ? target & ~TO_BLOCK : l->nodes.at[target].block;
}

static void
mark(Lower *l)
{
	VecU32 work = {0};

	vec_push(&l->a, &work, 1);
	while (work.n) {
		LBlock *b = &l->blocks.at[work.at[--work.n]];
		if (b->kept)
			continue;
		b->kept = true;
		for (u32 k = 0; k < b->nto; k++)
			vec_push(&l->a, &work, block_of(l, l->targets.at[b->to + k]));
		if (b->exc)
			vec_push(&l->a, &work, l->nodes.at[b->exc].block);
	}
}

/* Takes what no longer leads here out of a node's list. */
static void
filter_edges(Lower *l, u32 id)
{
	Node *n = &l->nodes.at[id];
	u32 *at = &n->edge;

	while (*at) {
		InEdge *e = &l->edges.at[*at];
		const LBlock *b = &l->blocks.at[e->block];
		if (b->kept && (!n->dispatch || b->exc == id))
			at = &e->next;
		else
			*at = e->next;
	}
}

void
prune(Lower *l)
{
	bool changed = false;
	u32 id = 0;

	for (u32 k = 1; k < l->blocks.n; k++) {
		LBlock *b = &l->blocks.at[k];
		if (b->exc && !throws(l, b)) {
			b->exc = 0;
			changed = true;
		}
	}
	if (changed)
		mark(l);
	for (u32 k = 1; k < l->blocks.n; k++) {
		l->blocks.at[k].kept |= !changed;
		if (l->blocks.at[k].kept)
			l->blocks.at[k].id = ++id;
	}
	for (u32 k = 1; changed && k < l->nodes.n; k++)
		filter_edges(l, k);
}

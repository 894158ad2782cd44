/* order_either.c - threads of which at most one is ever started.
 *
 *	if (mode) create(&t, f); else create(&t, g);  ...  join(t);
 *
 * Each is started at most once in its creator, and no path leads from where the one is started to where the other
 * is, in the instance from which calls lead to both, so that this runs once, too.
 * A join whose handle names only such threads waits for the one that there is.
 * In the same way, what no path leads to from where a thread is started lies before that. */
#include "conc/order_int.h"

enum { DEPTH = 6 };

typedef struct Start {
	InstId inst;
	InsId ins;
} Start;

/* How control comes to the instruction, from there to the only call of its function and so on. */
static u32
ways_to(const Order *o, InstId inst, InsId ins, Start out[DEPTH])
{
	u32 n = 0;

	out[n++] = (Start){inst, ins};
	while (n < DEPTH && pta_inst(o->p, out[n - 1].inst)->ncaller == 1) {
		u32 e = o->p->callers.at[pta_inst(o->p, out[n - 1].inst)->caller];
		const Edge *edge = &o->p->edges.at[e];
		if (edge->fork)
			break;
		out[n++] = (Start){edge->from, edge->ins};
	}
	return n;
}

static bool
leads_to(const Order *o, const Fn *f, BlockId from, BlockId to)
{
	bool *seen = arena_array(o->arena, bool, f->nblock + 1), found = false;
	VecU32 todo = {0};
	Graph g;

	cfg_graph(&g, o->arena, o->ir, f);
	vec_push(o->arena, &todo, from);
	while (todo.n && !found) {
		u32 b = todo.at[--todo.n];
		for (u32 k = g.first[b]; k < g.first[b + 1]; k++) {
			found |= g.to[k] == to;
			if (!seen[g.to[k]])
				vec_push(o->arena, &todo, g.to[k]);
			seen[g.to[k]] = true;
		}
	}
	arena_recycle(o->arena, seen, (f->nblock + 1) * sizeof *seen);
	arena_recycle(o->arena, todo.at, todo.cap * sizeof *todo.at);
	return found;
}

/* The two instructions of the first instance from which calls lead to both; false: there is none. */
static bool
find_fork(const Order *o, Start *x, Start *y)
{
	Start a[DEPTH], b[DEPTH];
	u32 na = ways_to(o, x->inst, x->ins, a), nb = ways_to(o, y->inst, y->ins, b);

	for (u32 i = 0; i < na; i++)
		for (u32 k = 0; k < nb; k++)
			if (a[i].inst == b[k].inst) {
				*x = a[i];
				*y = b[k];
				return true;
			}
	return false;
}

static bool
find_either(const Order *o, ThreadId x, ThreadId y)
{
	const Thread *a = thread_get(o->t, x), *b = thread_get(o->t, y);
	Start p = {a->fork_inst, a->fork}, q = {b->fork_inst, b->fork};
	const Fn *f;
	BlockId from, to;

	if (a->parent != b->parent || !a->once || !b->once || a->folded || b->folded ||
	    !find_fork(o, &p, &q))
		return false;
	f = pta_fn(o->p, p.inst);
	from = cfg_block_of(o->ir, f, p.ins);
	to = cfg_block_of(o->ir, f, q.ins);
	return from != to && !leads_to(o, f, from, to) && !leads_to(o, f, to, from);
}

bool
order_before_start(const Order *o, ThreadId x, InstId inst, InsId ins)
{
	const Thread *t = thread_get(o->t, x);
	Start p = {t->fork_inst, t->fork}, q = {inst, ins};
	const Fn *f;
	BlockId from, to;

	if (!t->unique || !set_has(&o->t->insts[t->parent], inst) || !find_fork(o, &p, &q) ||
	    p.ins == q.ins)
		return false;
	f = pta_fn(o->p, p.inst);
	from = cfg_block_of(o->ir, f, p.ins);
	to = cfg_block_of(o->ir, f, q.ins);
	return !leads_to(o, f, from, to) && (from != to || q.ins < p.ins);
}

bool
order_either(Order *o, ThreadId x, ThreadId y)
{
	u32 *memo = map_at(o->arena, &o->eithers, x < y ? map_pair(x, y) : map_pair(y, x));

	if (!*memo)
		*memo = 1 + find_either(o, x, y);
	return *memo == 2;
}

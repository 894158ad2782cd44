/* order_noted.c - pools that note behind their forks how many threads they made.
 *
 *	pool->n = 0;
 *	for (i = 0; i < n; i++)
 *		if (create(&pool->h[i], ...)) { pool->n = i; stop(pool); return; }
 *	pool->n = n;
 *	...
 *	stop: for (j = 0; j < pool->n; j++) join(pool->h[j]);
 *
 * The place holds how many there are if it is written by the forks' function alone, which runs once: before
 * the loop, or behind it with the loop's counter or its bound; if no way out of the loop leads past such a write
 * to a call or a return; and if nobody but the thread that forks comes to the joins, whose function starts none. */
#include "conc/order_loop.h"

#include "conc/access.h"

/* What is asked about. */
typedef struct Noted {
	Matcher *m;
	InstId inst; /* of the forks */
	const Cfg *cfg;
	const Walk *fork;
	SlotId at;
	u16 width;
} Noted;

static bool
is_bound(const Noted *n, Val v)
{
	const Limit *hi = &n->fork->hi;

	v = batch_strip(n->cfg->ir, n->cfg->fn, v);
	if (hi->v)
		return !hi->add && v == batch_strip(n->cfg->ir, n->cfg->fn, hi->v);
	return val_is_const(v) && ir_const(n->cfg->ir, v)->kind == CONST_INT &&
	       ir_const(n->cfg->ir, v)->num == hi->add;
}

/* Does the store, behind the loop, note how many rounds there were? */
static bool
notes_end(const Noted *n, InsId id)
{
	const Cfg *c = n->cfg;
	const Loop *loop = &c->loops[n->fork->loop];
	BlockId at = cfg_block_of(c->ir, c->fn, id);
	Val v = ins_arg(c->ir, ir_ins(c->ir, id), 1);

	for (u32 i = loop->exit; i < loop->exit + loop->nexit; i++) {
		Arc e = c->loop_exits[i];
		if (c->pred.first[e.to + 1] - c->pred.first[e.to] != 1 ||
		    !cfg_dominates(c, e.to, at))
			continue;
		if (batch_strip(c->ir, c->fn, v) == n->fork->index)
			return true;
		return e.from == n->fork->count.test && e.to == n->fork->count.exit &&
		       is_bound(n, v);
	}
	return false;
}

static bool
before_loop(const Noted *n, InsId id)
{
	const Cfg *c = n->cfg;

	return cfg_precedes(c, id, fn_block(c->ir, c->fn, c->loops[n->fork->loop].header)->ins);
}

/* Is the instruction a write there that is none of these? */
static bool
disturbs(const Noted *n, InstId inst, InsId id)
{
	const Pta *p = n->m->t->pta;
	const Ins *ins = ir_ins(p->ir, id);
	Touch touch[2];
	u32 k, count = access_touches(p->ir, id, touch);
	bool meets = false;

	for (k = 0; k < count; k++)
		if (touch[k].flags & ACC_WRITE && !(touch[k].flags & ACC_FREE))
			SET_FOR (it, pta_pts(p, inst, touch[k].addr))
				meets |=
				    pta_overlap(p, n->at, (n->width + 7u) / 8, it.x, touch[k].size);
	for (k = 0; (ins->op == OP_EXTERN || ins->op == OP_PUBLISH) && k < ins->narg; k++)
		SET_FOR (it, pta_pts(p, inst, ins_arg(p->ir, ins, k)))
			meets |= pta_slot(p, it.x)->obj == pta_slot(p, n->at)->obj;
	if (!meets)
		return false;
	return inst != n->inst || ins->op != OP_STORE || ins->width != n->width ||
	       cfg_in_cycle(n->cfg, cfg_block_of(p->ir, n->cfg->fn, id)) ||
	       !(before_loop(n, id) || notes_end(n, id));
}

/* Is it such a note, behind the loop? */
static bool
is_note(const Noted *n, InsId id)
{
	const Pta *p = n->m->t->pta;
	const Ins *ins = ir_ins(p->ir, id);
	const Set *to = ins->op == OP_STORE ? pta_pts(p, n->inst, ins_arg(p->ir, ins, 0)) : NULL;

	return to && set_single(to) && set_first(to) == n->at && ins->width == n->width &&
	       notes_end(n, id);
}

/* 1: the block notes it, -1: something else may ask before that. */
static int
first_of(const Noted *n, BlockId b)
{
	const Block *bl = fn_block(n->cfg->ir, n->cfg->fn, b);

	for (InsId id = bl->ins; id < bl->ins + bl->nins; id++) {
		Op op = (Op)ir_ins(n->cfg->ir, id)->op;
		if (is_note(n, id))
			return 1;
		if (op == OP_CALL || op == OP_EXTERN || op == OP_JOIN || op == OP_RET ||
		    op == OP_TEXIT || op == OP_THROW || bl->exc)
			return -1;
	}
	return 0;
}

/* Is it noted on every way out of the loop before anyone can ask? */
static bool
always_noted(const Noted *n)
{
	const Cfg *c = n->cfg;
	const Loop *loop = &c->loops[n->fork->loop];
	Arena *a = n->m->arena;
	bool *seen = arena_array(a, bool, c->fn->nblock + 1);
	VecU32 todo = {0};

	for (BlockId b = 1; b <= c->fn->nblock; b++) {
		const Block *bl = fn_block(c->ir, c->fn, b);
		for (InsId id = bl->ins;
		     cfg_loop_has(c, n->fork->loop, b) && id < bl->ins + bl->nins; id++)
			if (ir_ins(c->ir, id)->op == OP_CALL ||
			    ir_ins(c->ir, id)->op == OP_EXTERN || bl->exc)
				return false;
	}
	for (u32 i = loop->exit; i < loop->exit + loop->nexit; i++)
		vec_push(a, &todo, c->loop_exits[i].to);
	while (todo.n) {
		BlockId b = todo.at[--todo.n];
		int first = seen[b] ? 1 : first_of(n, b);
		seen[b] = true;
		if (first < 0)
			return false;
		if (!first)
			GRAPH_FOR (s, &c->succ, b)
				vec_push(a, &todo, *s);
	}
	return true;
}

/* Does one thread, of which there is one, run the forks, once, and nobody else the joins? */
static bool
alone(const Threads *t, InstId forks, InstId joins)
{
	ThreadId by = 0;

	for (ThreadId x = 1; x < t->at.n; x++)
		if (set_has(&t->insts[x], forks) || set_has(&t->insts[x], joins)) {
			if (by)
				return false;
			by = x;
		}
	return by && thread_get(t, by)->unique && !set_has(&t->many[by], forks);
}

/* May calls lead from x to y? */
static bool
leads_to(const Pta *p, Arena *a, InstId x, InstId y)
{
	Set seen = {0};
	VecU32 todo = {0};

	vec_push(a, &todo, x);
	while (todo.n && !set_has(&seen, y)) {
		const Inst *in = pta_inst(p, todo.at[--todo.n]);
		for (u32 e = in->edge; e < in->edge + in->nedge; e++)
			if (!p->edges.at[e].fork && set_add(a, &seen, p->edges.at[e].to))
				vec_push(a, &todo, p->edges.at[e].to);
	}
	return set_has(&seen, y);
}

bool
batch_noted(Matcher *m, InstId fi, const Walk *fork, InstId ji, const Walk *join)
{
	const Pta *p = m->t->pta;
	const Ins *load = join->hi.v ? batch_def(p->ir, pta_fn(p, ji), join->hi.v) : NULL;
	const Set *at =
	    load && load->op == OP_LOAD ? pta_pts(p, ji, ins_arg(p->ir, load, 0)) : NULL;
	Noted n = {.m = m, .inst = fi, .cfg = batch_cfg(m, fi), .fork = fork};

	if (!at || !set_single(at) || !pta_slot_exact(p, set_first(at)) || join->hi.add ||
	    join->step != 1 || !threads_single(m->t, pta_slot(p, set_first(at))->obj) ||
	    fork->inst != fi || fork->step != 1 || fork->plus ||
	    fork->index != fork->count.iv.phi || fi == ji || leads_to(p, m->arena, ji, fi) ||
	    !alone(m->t, fi, ji) || !batch_leaves_unstored(m, n.cfg, fork))
		return false;
	n.at = set_first(at);
	n.width = load->width;
	for (InstId i = 1; i < p->insts.n; i++) {
		const Fn *fn = pta_fn(p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++)
			if (disturbs(&n, i, id))
				return false;
	}
	return always_noted(&n);
}

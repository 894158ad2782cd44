/* lent.c - objects that are lent to one thread and waited for.
 *
 *	struct part left = {...};
 *	fork(&h, sort, &left); ...; join(h); use(left.result);
 *
 * Threads that start themselves again are one abstract thread, so that neither order nor shares can tell
 * whose part is whose.  But an object that a call makes, hands to one thread that it starts, and touches
 * only before that and after it has waited for it, is never touched by two threads at once:
 *	in the function that makes it, its address is in registers alone, which lead to accesses,
 *	comparisons, calls that do not keep it (captured.c), and one fork, which is in no loop;
 *	whatever that fork starts does not keep it either, nor return it;
 *	what follows the fork and touches the object is behind a join of that fork's thread: the handle is in
 *	a local variable that nothing else writes.
 * So there are two who ever have its address, this call and one thread that it starts, whatever
 * points-to says; and all they do with it is ordered by the fork and the join.
 * What the object points to is none of our business: it is shared as ever.
 *
 * One pass over the forks; each looks at its function a bounded number of times. */
#include "conc/lent.h"

#include "conc/captured.h"
#include "ir/cfg.h"

enum { LONG = 4000 }; /* functions of more instructions are left alone */

typedef struct Lender {
	const Threads *t;
	const Pta *p;
	const Ir *ir;
	InstId inst;
	const Fn *fn;
	Cfg cfg;
	InsId fork;
	bool *of;     /* [register]: it is derived from the object's address */
	bool *behind; /* [block]: comes behind the fork */
} Lender;

static const Ins *
def_at(const Lender *l, Val v, InsId *id)
{
	*id = val_is_reg(v) ? fn_reg(l->ir, l->fn, v)->def : 0;
	return *id ? ir_ins(l->ir, *id) : NULL;
}

static bool
derives(Op op)
{
	return op == OP_FIELD || op == OP_INDEX || op == OP_COPY || op == OP_CAST;
}

/* The allocation in this function whose result v is derived from; 0 none. */
static InsId
made_by(const Lender *l, Val v)
{
	InsId id;
	const Ins *i;

	while ((i = def_at(l, v, &id)) && derives((Op)i->op))
		v = ins_arg(l->ir, i, 0);
	return i && i->op == OP_ALLOC && (i->sub == ALLOC_STACK || i->sub == ALLOC_HEAP) ? id : 0;
}

static void
mark_derived(Lender *l, Val root)
{
	bool changed = true;

	for (u32 r = 0; r <= l->fn->nreg; r++)
		l->of[r] = r == root;
	while (changed) {
		changed = false;
		for (InsId id = l->fn->ins; id < l->fn->ins + l->fn->nins; id++) {
			const Ins *i = ir_ins(l->ir, id);
			Val from = derives((Op)i->op) ? ins_arg(l->ir, i, 0) : 0;
			if (val_is_reg(from) && l->of[from] && i->dst && !l->of[i->dst])
				changed = l->of[i->dst] = true;
		}
	}
}

/* Is the variable written by the fork alone, which stores its handle there, and else only read? */
static bool
is_handle_variable(const Lender *l, Val var)
{
	InsId id;
	const Ins *def = def_at(l, var, &id);

	if (!def || def->op != OP_ALLOC || def->sub != ALLOC_STACK)
		return false;
	for (id = l->fn->ins; id < l->fn->ins + l->fn->nins; id++)
		for (u32 k = 0; k < ir_ins(l->ir, id)->narg; k++)
			if (ins_arg(l->ir, ir_ins(l->ir, id), k) == var &&
			    ir_ins(l->ir, id)->op != OP_LOAD && (id != l->fork || k))
				return false;
	return true;
}

/* Does the instruction certainly wait for the thread of the fork? */
static bool
waits(const Lender *l, InsId id)
{
	const Ins *join = ir_ins(l->ir, id), *load;
	InsId at;

	if (join->op != OP_JOIN || join->flags & INS_TRY || join->cond != SIGN_ANY)
		return false;
	load = def_at(l, ins_arg(l->ir, join, 0), &at);
	return load && load->op == OP_LOAD &&
	       ins_arg(l->ir, load, 0) == ins_arg(l->ir, ir_ins(l->ir, l->fork), 0) &&
	       cfg_precedes(&l->cfg, l->fork, at) && is_handle_variable(l, ins_arg(l->ir, load, 0));
}

static void
find_behind(Lender *l, Arena *a)
{
	VecU32 todo = {0};

	vec_push(a, &todo, cfg_block_of(l->ir, l->fn, l->fork));
	while (todo.n) {
		BlockId b = todo.at[--todo.n];
		GRAPH_FOR (s, &l->cfg.succ, b)
			if (!l->behind[*s]) {
				l->behind[*s] = true;
				vec_push(a, &todo, *s);
			}
	}
}

/* Is it done before the thread is started, or when it has been waited for? */
static bool
is_apart(const Lender *l, InsId id)
{
	BlockId b = cfg_block_of(l->ir, l->fn, id);

	if (!l->behind[b] && (b != cfg_block_of(l->ir, l->fn, l->fork) || id < l->fork))
		return true;
	for (InsId j = l->fn->ins; j < l->fn->ins + l->fn->nins; j++)
		if (waits(l, j) && cfg_precedes(&l->cfg, j, id))
			return true;
	return false;
}

/* May operand k of the instruction be the address, or derived from it? */
static bool
may_use(const Lender *l, InsId id, u32 k, u32 lent)
{
	const Ins *i = ir_ins(l->ir, id);

	if (derives((Op)i->op))
		return !k;
	switch (i->op) {
	case OP_CMP: return true;
	case OP_LOAD:
	case OP_STORE:
	case OP_READN:
	case OP_WRITEN:
	case OP_FREE: return !k && is_apart(l, id);
	case OP_BCOPY: return k < 2 && is_apart(l, id);
	case OP_CALL: return !captures_use(l->t->captures, l->inst, id, k) && is_apart(l, id);
	case OP_FORK: return id == l->fork && k == lent;
	default: return false;
	}
}

static bool
all_uses_fit(const Lender *l, u32 lent)
{
	for (InsId id = l->fn->ins; id < l->fn->ins + l->fn->nins; id++) {
		const Ins *i = ir_ins(l->ir, id);
		for (u32 k = 0; k < i->narg; k++) {
			Val v = ins_arg(l->ir, i, k);
			bool block = i->op == OP_PHI && k % 2 == 0;
			if (!block && val_is_reg(v) && l->of[v] && !may_use(l, id, k, lent))
				return false;
		}
	}
	return true;
}

/* Does nothing that the fork may start keep, or return, what it gets by operand k? */
static bool
is_given_back(const Lender *l, u32 k)
{
	u32 n;
	const Edge *e = pta_targets(l->p, l->inst, l->fork, &n);

	for (u32 i = 0; i < n; i++)
		if (!e[i].fork ||
		    captures_param(l->t->captures, pta_inst(l->p, e[i].to)->fn, k - 1))
			return false;
	return n > 0;
}

/* Adds what the fork's function lends by it. */
static void
look_at(Lender *l, Arena *scratch, Set *made)
{
	const Ins *fork = ir_ins(l->ir, l->fork);

	cfg_build(&l->cfg, scratch, l->ir, l->fn);
	if (cfg_in_cycle(&l->cfg, cfg_block_of(l->ir, l->fn, l->fork)))
		return;
	l->of = arena_array(scratch, bool, l->fn->nreg + 1);
	l->behind = arena_array(scratch, bool, l->fn->nblock + 2);
	find_behind(l, scratch);
	for (u32 k = 2; k < fork->narg; k++) {
		InsId id = made_by(l, ins_arg(l->ir, fork, k));
		if (!id || !is_given_back(l, k))
			continue;
		mark_derived(l, ir_ins(l->ir, id)->dst);
		if (all_uses_fit(l, k))
			set_add(scratch, made, id);
	}
}

static void
add_objects(const Pta *p, InstId inst, const Set *made, Arena *a, Set *out)
{
	for (ObjId o = 1; o < p->objs.n && !set_empty(made); o++) {
		const Obj *obj = pta_obj(p, o);
		if ((obj->kind == OBJ_STACK || obj->kind == OBJ_HEAP) && obj->inst == inst &&
		    set_has(made, obj->ins))
			set_add(a, out, o);
	}
}

void
lent_solve(const Threads *t, Arena *a, Set *out)
{
	const Pta *p = t->pta;

	for (u32 e = 0; t->captures && e < p->edges.n; e++) {
		const Edge *edge = &p->edges.at[e];
		const Ins *fork = ir_ins(p->ir, edge->ins);
		Lender l = {.t = t, .p = p, .ir = p->ir, .inst = edge->from, .fork = edge->ins};
		Set made = {0};
		Arena scratch;

		l.fn = pta_fn(p, edge->from);
		if (!edge->fork || fork->op != OP_FORK || !ins_arg(p->ir, fork, 0) ||
		    fork->flags & (INS_REPEATS | INS_INTERRUPTS) || l.fn->nins > LONG)
			continue;
		arena_init(&scratch, a->budget);
		look_at(&l, &scratch, &made);
		add_objects(p, edge->from, &made, a, out);
		arena_release(&scratch);
	}
}

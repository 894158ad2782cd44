/* harm.c - what could go wrong if a racing read gets a stale or torn value.
 *
 * The value is followed through registers, and into the functions that it is
 * handed to, a few calls deep: a pointer that is dereferenced, a bound that
 * ends a loop, an index.  Memory is not followed, so it is a guess of what
 * matters most, good enough to put the serious races first. */
#include "race/race_int.h"

enum { PAIRS = 8, CALLS = 2, FOLLOWED = 16 };

typedef struct Flow {
	Races *r;
	Harm worst;
	u32 followed; /* functions so far */
} Flow;

static void follow(Flow *f, InstId inst, Val v, u32 calls);

static void
found(Flow *f, Harm h)
{
	f->worst = MIN(f->worst, h);
}

/* Does the branch at the end of this block leave a loop? */
static bool
ends_loop(const Flow *f, FnId fn, InsId branch)
{
	const Ir *ir = f->r->ir;
	const Fn *fun = &ir->fns.at[fn];
	BlockId b = walk_block(f->r->walk, fn, branch);
	const Block *block = fn_block(ir, fun, b);

	if (!walk_cyclic(f->r->walk, fn, b))
		return false;
	for (u32 i = 0; i < block->nsucc; i++) {
		const Block *to = fn_block(ir, fun, ir->succs.at[block->succ + i]);

		if (to->ins != branch && !walk_reaches(f->r->walk, fn, to->ins, branch))
			return true;
	}
	return false;
}

/* Is the result of i computed from its operand k? */
static bool
passes_on(const Ins *i, u32 k)
{
	switch (i->op) {
	case OP_COPY:
	case OP_SELECT:
	case OP_CAST:
	case OP_BIN:
	case OP_CMP: return true;
	case OP_PHI: return k % 2 == 1;
	case OP_FIELD:
	case OP_INDEX: return k == 0;
	default: return false;
	}
}

/* Adds what i computes from known registers. */
static bool
pass_on(const Flow *f, const Ins *i, Set *known)
{
	for (u32 k = 0; i->dst && k < i->narg; k++)
		if (passes_on(i, k) && set_has(known, ins_arg(f->r->ir, i, k)))
			return set_add(f->r->arena, known, i->dst);
	return false;
}

/* The functions that the call hands argument k to. */
static void
follow_call(Flow *f, InstId inst, InsId ins, u32 k, u32 calls)
{
	u32 n;
	const Edge *e = pta_targets(f->r->pta, inst, ins, &n);

	for (u32 i = 0; calls && i < n && f->followed < FOLLOWED; i++)
		if (!e[i].fork && k && k <= pta_fn(f->r->pta, e[i].to)->nparam)
			follow(f, e[i].to, k, calls - 1);
}

/* Operand k of ins comes from the value. */
static void
use(Flow *f, InstId inst, InsId id, u32 k, u32 calls)
{
	const Ins *i = ir_ins(f->r->ir, id);

	switch (i->op) {
	case OP_LOAD:
	case OP_STORE:
	case OP_RMW:
	case OP_CAS:
	case OP_READN:
	case OP_WRITEN:
	case OP_FREE:
		if (k == 0)
			found(f, HARM_POINTER);
		else if (i->op == OP_READN || i->op == OP_WRITEN)
			found(f, HARM_BOUND);
		break;
	case OP_BCOPY: found(f, k < 2 ? HARM_POINTER : HARM_BOUND); break;
	case OP_INDEX:
		if (k == 1)
			found(f, HARM_INDEX);
		break;
	case OP_CBR:
	case OP_SWITCH:
		if (ends_loop(f, inst_fn(f->r, inst), id))
			found(f, HARM_BOUND);
		break;
	case OP_CALL:
		if (k == 0)
			found(f, HARM_POINTER);
		else
			follow_call(f, inst, id, k, calls);
		break;
	default: break;
	}
}

/* Looks at every use of v in inst and of what is computed from it. */
static void
follow(Flow *f, InstId inst, Val v, u32 calls)
{
	const Ir *ir = f->r->ir;
	const Fn *fn = pta_fn(f->r->pta, inst);
	Set known = {0};
	bool changed = true;

	f->followed++;
	set_add(f->r->arena, &known, v);
	while (changed) {
		changed = false;
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++)
			changed |= pass_on(f, ir_ins(ir, id), &known);
	}
	for (InsId id = fn->ins; id < fn->ins + fn->nins && f->worst > HARM_POINTER; id++) {
		const Ins *i = ir_ins(ir, id);

		for (u32 k = 0; i->op != OP_PHI && k < i->narg; k++)
			if (set_has(&known, ins_arg(ir, i, k)))
				use(f, inst, id, k, calls);
	}
	set_recycle(f->r->arena, &known);
}

static Harm
read_harm(Races *r, const Access *a)
{
	const Ins *i = ir_ins(r->ir, a->ins);
	u32 known = map_get(&r->harm_of, a->ins);
	Flow f = {.r = r, .worst = HARM_VALUE};

	if (known)
		return (Harm)(known - 1);
	if (i->dst && i->op == OP_LOAD)
		follow(&f, a->inst, i->dst, CALLS);
	map_put(r->arena, &r->harm_of, a->ins, f.worst + 1);
	return f.worst;
}

Harm
race_harm(Races *r, const Pair *pairs, u32 n)
{
	Harm worst = HARM_VALUE;

	for (u32 i = 0; i < n * 2 && i < PAIRS * 2; i++) {
		const Pair *p = &pairs[i / 2];
		const Access *a = access_at(r, i % 2 ? p->b : p->a);
		Harm h = a->flags & ACC_FREE ? HARM_FREED : HARM_VALUE;

		if (!(a->flags & (ACC_WRITE | ACC_FREE)))
			h = read_harm(r, a);
		worst = MIN(worst, h);
	}
	return worst;
}

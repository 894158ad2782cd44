/* order_first.c - the first round of a loop.
 *
 *	for (i = 0; i < n; i++) {
 *		if (i == 0)
 *			config = ...;
 *		create(&t[i], ...);
 *	}
 *
 * An edge that only the first round takes, with nothing on the way from the
 * loop's header that changes who is running, is taken in the state in which
 * the loop was entered: none of its threads has been started.  The round is
 * told by the loop's counter, which has its first value once. */
#include "conc/order_int.h"

#include "ir/induction.h"

enum { WIDE = 32 }; /* bits of a counter that does not come round */

typedef struct Found {
	Order *o;
	OrderPlan *plan;
	const Cfg *cfg;
	Vec(OrderFirst) at;
} Found;

/* Does the branch at the end of block b compare a phi with a constant that it may start with?
 * Gives the comparison. */
static const Ins *
compares(const Ir *ir, const Fn *fn, BlockId b, Val *phi)
{
	const Block *block = fn_block(ir, fn, b);
	const Ins *end = ir_ins(ir, block->ins + block->nins - 1), *cmp, *def;
	InsId id;

	if (end->op != OP_CBR || block->nsucc != 2 || !val_is_reg(ins_arg(ir, end, 0)))
		return NULL;
	id = fn_reg(ir, fn, ins_arg(ir, end, 0))->def;
	cmp = id ? ir_ins(ir, id) : NULL;
	if (!cmp || cmp->op != OP_CMP || !val_is_const(ins_arg(ir, cmp, 1)) ||
	    ir_const(ir, ins_arg(ir, cmp, 1))->kind != CONST_INT ||
	    (cmp->sub != CMP_EQ && cmp->sub != CMP_NE && cmp->sub != CMP_SGT &&
	     cmp->sub != CMP_UGT))
		return NULL;
	for (*phi = ins_arg(ir, cmp, 0);; *phi = ins_arg(ir, def, 0)) {
		id = val_is_reg(*phi) ? fn_reg(ir, fn, *phi)->def : 0;
		def = id ? ir_ins(ir, id) : NULL;
		if (!def || def->op != OP_CAST || (def->sub != CAST_SEXT && def->sub != CAST_ZEXT))
			break;
	}
	return def && def->op == OP_PHI ? cmp : NULL;
}

/* Does nothing between the loop's header and the end of block b change who is running? */
static bool
idle_before(const Found *f, u32 loop, BlockId b)
{
	const Cfg *c = f->cfg;
	Set seen = {0};
	VecU32 todo = {0};
	bool idle = true;

	set_add(f->o->arena, &seen, b);
	vec_push(f->o->arena, &todo, b);
	while (todo.n && idle) {
		BlockId at = todo.at[--todo.n];
		for (u32 i = f->plan->first[at]; i < f->plan->first[at + 1]; i++)
			idle &= !f->plan->steps[i].ins;
		if (at == c->loops[loop].header)
			continue;
		GRAPH_FOR (p, &c->pred, at)
			if (set_add(f->o->arena, &seen, *p))
				vec_push(f->o->arena, &todo, *p);
	}
	set_recycle(f->o->arena, &seen);
	return idle;
}

static void
find_first(Found *f, BlockId b, const Ins *cmp, Val phi)
{
	const Ir *ir = f->o->ir;
	const Cfg *c = f->cfg;
	u32 loop = c->loop_of[cfg_block_of(ir, c->fn, fn_reg(ir, c->fn, phi)->def)];
	const Const *k = ir_const(ir, ins_arg(ir, cmp, 1)), *init;
	OrderFirst first = {.from = b, .succ = cmp->sub != CMP_EQ};
	Iv iv;

	if (!loop || !loop_iv(c, loop, phi, &iv) || iv.width < WIDE || iv.address ||
	    !val_is_const(iv.init) || !cfg_loop_has(c, loop, b))
		return;
	init = ir_const(ir, iv.init);
	if (init->kind != CONST_INT || init->num != k->num ||
	    ((cmp->sub == CMP_SGT || cmp->sub == CMP_UGT) && iv.step < 0) ||
	    !idle_before(f, loop, b))
		return;
	first.header = c->loops[loop].header;
	for (BlockId x = 1; x <= c->fn->nblock; x++)
		if (cfg_loop_has(c, loop, x))
			set_add(f->o->arena, &first.body, x);
	vec_push(f->o->arena, &f->at, first);
}

void
order_find_firsts(Order *o, InstId inst, OrderPlan *plan)
{
	const Fn *fn = pta_fn(o->p, inst);
	Found f = {.o = o, .plan = plan};
	Arena scratch;
	Cfg cfg;
	Val phi;

	arena_init(&scratch, o->arena->budget);
	for (BlockId b = 1; b <= fn->nblock; b++) {
		const Ins *cmp = compares(o->ir, fn, b, &phi);
		if (!cmp)
			continue;
		if (!f.cfg) {
			cfg_build(&cfg, &scratch, o->ir, fn);
			f.cfg = &cfg;
		}
		if (cfg.rank[b])
			find_first(&f, b, cmp, phi);
	}
	arena_release(&scratch);
	plan->firsts = f.at.at;
	plan->nfirst = f.at.n;
}

OrderId
order_first(Order *o, const OrderPlan *plan, const Flow *flow, u32 frame, BlockId from, u32 succ,
	    OrderId s)
{
	const Frame *f = &o->frames.at[frame];
	const Block *b = fn_block(o->ir, pta_fn(o->p, f->inst), from);
	BlockId to = o->ir->succs.at[b->succ + succ];

	for (u32 i = 0; i < plan->nfirst; i++) {
		const OrderFirst *first = &plan->firsts[i];
		u32 *in = map_at(o->arena, &o->entered, map_pair(frame, first->header));
		if (first->from == from && first->succ == succ)
			return *in;
		if (first->header == to && !set_has(&first->body, from)) {
			OrderId all = order_join(o, *in, s);
			if (all != *in && f->in[first->from])
				order_mark(flow, f->dirty, first->from);
			*in = all;
		}
	}
	return s;
}

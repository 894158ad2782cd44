/* order_handle.c - is the handle of a join that passes on null certainly not
 * null once its thread was started?
 *
 * It is if it is the fork's own result, or was loaded right before the join
 * from memory that only forks' handles are stored to: then it is null only as
 * long as the thread was not started.  Where this activation stored the handle
 * itself, into the same object, it is also known which thread it is. */
#include "conc/order_int.h"

static const Ins *
definition(const Ir *ir, const Fn *fn, Val v, InsId *id)
{
	*id = val_is_reg(v) ? fn_reg(ir, fn, v)->def : 0;
	return *id ? ir_ins(ir, *id) : NULL;
}

static bool
is_handle(const Ir *ir, const Fn *fn, Val v)
{
	InsId id;
	const Ins *def = definition(ir, fn, v, &id);

	return def && def->op == OP_FORK && (def->flags & INS_HANDLE);
}

/* Notes where ins may store anything but the handle of a fork. */
static void
note_stores(Order *o, InstId inst, const Ins *ins)
{
	const Fn *fn = pta_fn(o->p, inst);

	switch (ins->op) {
	case OP_STORE:
		if (is_handle(o->ir, fn, ins_arg(o->ir, ins, 1)))
			return;
		break;
	case OP_RMW:
	case OP_CAS:
	case OP_BCOPY:
	case OP_WRITEN:
	case OP_FREE: break;
	case OP_EXTERN:
	case OP_PUBLISH:
		for (u32 k = 0; k < ins->narg; k++)
			set_or(o->arena, &o->stored, pta_pts(o->p, inst, ins_arg(o->ir, ins, k)));
		return;
	default: return;
	}
	set_or(o->arena, &o->stored, pta_pts(o->p, inst, ins_arg(o->ir, ins, 0)));
}

void
order_find_stored(Order *o)
{
	const VecU32 *acts = &o->t->acts.ins;

	for (u32 k = 0; k < acts->n && !o->passes_null; k++) {
		const Ins *join = ir_ins(o->ir, acts->at[k]);
		o->passes_null = join->op == OP_JOIN && join->flags & INS_RECURSIVE;
	}
	for (InstId i = 1; i < o->p->insts.n && o->passes_null; i++) {
		const Fn *fn = pta_fn(o->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++)
			note_stores(o, i, ir_ins(o->ir, id));
	}
}

/* Do only forks store there? */
static bool
only_handles(const Order *o, SlotId slot)
{
	const Slot *s = pta_slot(o->p, slot);

	if (s->stride || pta_obj(o->p, s->obj)->kind == OBJ_EXTERN)
		return false;
	SET_FOR (it, &o->stored)
		if (pta_slot(o->p, it.x)->obj == s->obj &&
		    pta_overlap(o->p, slot, o->ir->ptr_bytes, it.x, o->ir->ptr_bytes))
			return false;
	return true;
}

static bool
changes_nothing(const Ins *ins)
{
	switch (ins->op) {
	case OP_ALLOC:
	case OP_COPY:
	case OP_FIELD:
	case OP_INDEX:
	case OP_LOAD:
	case OP_CMP:
	case OP_CAST: return true;
	default: return false;
	}
}

bool
order_sure_handle(const Order *o, InstId inst, InsId join)
{
	const Fn *fn = pta_fn(o->p, inst);
	InsId at;
	const Ins *def = definition(o->ir, fn, ins_arg(o->ir, ir_ins(o->ir, join), 0), &at);

	if (!def)
		return false;
	if (def->op == OP_FORK)
		return (def->flags & INS_HANDLE) != 0;
	if (def->op != OP_LOAD || at > join ||
	    cfg_block_of(o->ir, fn, at) != cfg_block_of(o->ir, fn, join))
		return false;
	for (InsId i = at + 1; i < join; i++)
		if (!changes_nothing(ir_ins(o->ir, i)))
			return false;
	SET_FOR (it, pta_pts(o->p, inst, ins_arg(o->ir, def, 0)))
		if (!only_handles(o, it.x))
			return false;
	return true;
}

/* The object and, in *field, the field that addr is the address of. */
static Val
base_of(const Ir *ir, const Fn *fn, Val addr, u32 *field)
{
	InsId id;
	const Ins *def = definition(ir, fn, addr, &id);

	if (!def || def->op != OP_FIELD || def->sub != 1)
		return 0;
	*field = def->aux;
	return ins_arg(ir, def, 0);
}

/* A value names one object as long as its definition does not run again: behind
 * a store of a fork's handle into it, a load finds that handle. */
static bool
find_own_start(Order *o, const Fn *fn, InsId join)
{
	const Ir *ir = o->ir;
	InsId at;
	const Ins *load = definition(ir, fn, ins_arg(ir, ir_ins(ir, join), 0), &at);
	u32 field = 0, other = 0;
	Val base = load && load->op == OP_LOAD ? base_of(ir, fn, ins_arg(ir, load, 0), &field) : 0;
	Cfg cfg;

	if (!val_is_reg(base))
		return false;
	cfg_build(&cfg, o->arena, ir, fn);
	for (InsId i = fn->ins; i < fn->ins + fn->nins; i++) {
		const Ins *s = ir_ins(ir, i);
		BlockId from = cfg_block_of(ir, fn, i), to = cfg_block_of(ir, fn, at);
		if (s->op == OP_STORE && is_handle(ir, fn, ins_arg(ir, s, 1)) &&
		    base_of(ir, fn, ins_arg(ir, s, 0), &other) == base && other == field &&
		    (from == to ? i < at : cfg_dominates(&cfg, from, to)))
			return true;
	}
	return false;
}

bool
order_own_start(Order *o, InstId inst, InsId join)
{
	u32 *memo = map_at(o->arena, &o->own_joins, join);

	if (!*memo)
		*memo = 1 + find_own_start(o, pta_fn(o->p, inst), join);
	return *memo == 2 && order_sure_handle(o, inst, join);
}

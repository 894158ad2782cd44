/* present.c - which references are certainly to objects that are there.
 *
 * An object of a class never ends, and its allocation either gives one or throws
 * for want of memory, which is left out of account as a stack that overflows is; so is a malloc that fails.
 * A field may be null before it is stored to.  It is not where it is read, or the
 * function that reads it runs, only behind a store to it, if nobody ever stores null there.  All
 * answers err to false. */
#include "race/inevitable_int.h"

enum { DEPTH = 8 };

static bool not_null(Inevitable *v, InstId inst, Val x, u32 depth);

bool
inevitable_is_class(const Inevitable *v, TypeId t)
{
	return t && v->ir->types.at[t].kind == TYPE_CLASS;
}

/* Is this a write that touches other cells than the access before it?  Those of
 * one instruction and instance, which differ in threads and locks, are neighbours. */
static bool
other_write(const Conc *c, u32 k)
{
	const Access *a = &c->accesses.at[k];

	return a->flags & ACC_WRITE && !(k && a[-1].flags & ACC_WRITE && a[-1].ins == a->ins &&
					 a[-1].inst == a->inst && a[-1].addr == a->addr);
}

/* The objects that somebody writes to.  Many pointers share one large set. */
static Set *
list_written(Inevitable *v)
{
	Set *out = arena_new(v->arena, Set);
	Map seen = {0};

	for (u32 k = 0; k < v->c->accesses.n; k++) {
		const Access *a = &v->c->accesses.at[k];
		const Set *pts = other_write(v->c, k) ? pta_pts(v->p, a->inst, a->addr) : NULL;
		u32 *at = pts ? map_at(v->arena, &seen, (uintptr_t)pts) : NULL;
		if (!at || (*at)++)
			continue;
		SET_FOR (it, pts)
			set_add(v->arena, out, pta_slot(v->p, it.x)->obj);
	}
	return out;
}

static bool
never_written(Inevitable *v, ObjId o)
{
	if (!v->written)
		v->written = list_written(v);
	return v->c->complete && !set_has(v->written, o) && !fresh_unknown(v->c->fresh, o);
}

/* What a load certainly gets: the first contents of a global that nobody
 * writes to; 0 if that is not certain. */
static Val
constant_at(Inevitable *v, InstId inst, Val addr)
{
	const Set *pts = pta_pts(v->p, inst, addr);
	const Slot *s = set_single(pts) ? pta_slot(v->p, set_first(pts)) : NULL;
	const Obj *o = s ? pta_obj(v->p, s->obj) : NULL;
	const Global *g;

	if (!o || o->kind != OBJ_GLOBAL || o->folded || s->stride || !never_written(v, s->obj))
		return 0;
	g = &v->ir->globals.at[o->ref];
	for (u32 k = g->init; k < g->init + g->ninit; k++)
		if (v->ir->inits.at[k].off == (u64)s->off)
			return v->ir->inits.at[k].val;
	return 0;
}

/* ---- fields that were stored to before ------------------------------- */

static void
index_writes(Inevitable *v)
{
	const Conc *c = v->c;

	v->writes_of = arena_new(v->arena, Map);
	for (u32 k = 0; k < c->accesses.n; k++) {
		const Access *a = &c->accesses.at[k];
		if (!other_write(c, k))
			continue;
		SET_FOR (it, pta_pts(v->p, a->inst, a->addr)) {
			u32 *at = map_at(v->arena, v->writes_of, pta_slot(v->p, it.x)->obj);
			if (!*at) {
				vec_push(v->arena, &v->writes, (VecU32){0});
				*at = v->writes.n;
			}
			vec_push(v->arena, &v->writes.at[*at - 1], k);
		}
	}
}

/* Does everybody who may store to the slot store a reference to an object? */
static bool
never_null(Inevitable *v, SlotId slot, u32 depth)
{
	u32 at, bytes = v->ir->ptr_bytes;

	if (!v->writes_of)
		index_writes(v);
	at = map_get(v->writes_of, pta_slot(v->p, slot)->obj);
	for (u32 i = 0; at && i < v->writes.at[at - 1].n; i++) {
		const Access *a = &v->c->accesses.at[v->writes.at[at - 1].at[i]];
		const Ins *ins = ir_ins(v->ir, a->ins);
		bool meets = false;
		SET_FOR (it, pta_pts(v->p, a->inst, a->addr))
			meets |= pta_slot(v->p, it.x)->obj == pta_slot(v->p, slot)->obj &&
				 pta_overlap(v->p, it.x, bytes, slot, bytes);
		if (meets && (ins->op != OP_STORE ||
			      !not_null(v, a->inst, ins_arg(v->ir, ins, 1), depth + 1)))
			return false;
	}
	return at != 0;
}

static bool
stores_to(Inevitable *v, InstId inst, const Ins *ins, SlotId slot)
{
	const Set *pts;

	if (ins->op != OP_STORE)
		return false;
	pts = pta_pts(v->p, inst, ins_arg(v->ir, ins, 0));
	return set_single(pts) && set_first(pts) == slot;
}

/* Does the call, if it returns, certainly store to just that slot: at the very
 * start of its one callee? */
static bool
call_stores(Inevitable *v, InstId inst, InsId call, SlotId slot)
{
	u32 n;
	const Edge *e = pta_targets(v->p, inst, call, &n);
	const Fn *fn = n == 1 ? pta_fn(v->p, e->to) : NULL;
	const Block *b = fn ? fn_block(v->ir, fn, 1) : NULL;

	for (InsId i = b ? b->ins : 0; b && i < b->ins + b->nins; i++)
		if (stores_to(v, e->to, ir_ins(v->ir, i), slot))
			return !b->exc;
	return false;
}

/* Is there a store to just that slot that every way to the instruction passes? */
static bool
stored_before(Inevitable *v, InstId inst, InsId at, SlotId slot)
{
	const Cfg *cfg = inevitable_cfg(v, inst);
	BlockId to = cfg_block_of(v->ir, cfg->fn, at);

	for (InsId i = cfg->fn->ins; i < cfg->fn->ins + cfg->fn->nins; i++) {
		const Ins *ins = ir_ins(v->ir, i);
		BlockId b = cfg_block_of(v->ir, cfg->fn, i);
		bool stores = stores_to(v, inst, ins, slot) ||
			      (ins->op == OP_CALL && !fn_block(v->ir, cfg->fn, b)->exc &&
			       call_stores(v, inst, i, slot));
		if (stores && (b == to ? i < at : cfg_dominates(cfg, b, to)))
			return true;
	}
	return false;
}

/* Does all that runs inst store to the slot before? */
static bool
handed(Inevitable *v, InstId inst, SlotId slot, u32 depth)
{
	const Inst *in = pta_inst(v->p, inst);

	for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
		const Edge *e = &v->p->edges.at[v->p->callers.at[k]];
		if (!stored_before(v, e->from, e->ins, slot) &&
		    (depth > DEPTH || !handed(v, e->from, slot, depth + 1)))
			return false;
	}
	return in->ncaller > 0;
}

/* Was what inst loads there certainly stored, by itself or by those who run it? */
static bool
handed_over(Inevitable *v, InstId inst, InsId load, u32 depth)
{
	Val addr = ins_arg(v->ir, ir_ins(v->ir, load), 0);
	const Set *pts = pta_pts(v->p, inst, addr);
	SlotId slot = set_single(pts) ? set_first(pts) : 0;

	if (!slot || depth > DEPTH || !v->c->complete || !pta_slot_exact(v->p, slot) ||
	    !threads_single(v->c->threads, pta_slot(v->p, slot)->obj) ||
	    fresh_unknown(v->c->fresh, pta_slot(v->p, slot)->obj))
		return false;
	return (stored_before(v, inst, load, slot) || handed(v, inst, slot, depth)) &&
	       never_null(v, slot, depth);
}

/* ---- values ------------------------------------------------------------------ */

/* Does the one function that is called return nothing but such addresses? */
static bool
returns_present(Inevitable *v, InstId inst, InsId call, u32 depth)
{
	const Edge *e = inevitable_callee(v, inst, call);
	const Fn *fn = e ? pta_fn(v->p, e->to) : NULL;
	bool any = false;

	for (BlockId b = 1; fn && b <= fn->nblock; b++) {
		const Block *block = fn_block(v->ir, fn, b);
		const Ins *last = ir_ins(v->ir, block->ins + block->nins - 1);
		if (last->op != OP_RET)
			continue;
		if (!last->narg || !not_null(v, e->to, ins_arg(v->ir, last, 0), depth + 1))
			return false;
		any = true;
	}
	return any;
}

static bool
arms_present(Inevitable *v, InstId inst, const Ins *def, u32 depth)
{
	for (u32 k = 1; k < def->narg; k += def->op == OP_PHI ? 2 : 1)
		if (!not_null(v, inst, ins_arg(v->ir, def, k), depth + 1))
			return false;
	return true;
}

/* Certainly the address of an object that is there. */
static bool
not_null(Inevitable *v, InstId inst, Val x, u32 depth)
{
	const Inst *in = pta_inst(v->p, inst);
	const Fn *fn = pta_fn(v->p, inst);
	const Ins *def;
	InsId id;

	if (val_is_const(x))
		return ir_const(v->ir, x)->kind == CONST_GLOBAL;
	if (!x || depth > DEPTH)
		return false;
	id = fn_reg(v->ir, fn, x)->def;
	if (id) {
		def = ir_ins(v->ir, id);
		if (def->op == OP_ALLOC)
			return def->sub == ALLOC_STACK || def->sub == ALLOC_HEAP ||
			       inevitable_is_class(v, def->aux);
		if (def->op == OP_COPY || def->op == OP_FIELD || def->op == OP_INDEX ||
		    (def->op == OP_FILTER && def->sub != 1))
			return not_null(v, inst, ins_arg(v->ir, def, 0), depth + 1);
		if (def->op == OP_LOAD) {
			Val first = constant_at(v, inst, ins_arg(v->ir, def, 0));
			return first ? not_null(v, inst, first, depth + 1)
				     : handed_over(v, inst, id, depth + 1);
		}
		if (def->op == OP_PHI || def->op == OP_SELECT)
			return arms_present(v, inst, def, depth);
		return def->op == OP_CALL && returns_present(v, inst, id, depth);
	}
	for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
		const Edge *e = &v->p->edges.at[v->p->callers.at[k]];
		const Ins *call = ir_ins(v->ir, e->ins);
		u32 arg = x + (e->fork ? 1 : 0); /* a fork has the handle before its function */
		if ((call->op != OP_CALL && call->op != OP_FORK) || arg >= call->narg)
			return false;
		if (!not_null(v, e->from, ins_arg(v->ir, call, arg), depth + 1))
			return false;
	}
	return in->ncaller > 0;
}

bool
inevitable_present(Inevitable *v, InstId inst, Val x)
{
	return not_null(v, inst, x, 0);
}

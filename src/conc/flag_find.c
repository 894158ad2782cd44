/* flag_find.c - which cells are flags.
 *
 * A candidate is one exact place, of at most 8 bytes, of an object of which
 * there is one, that is shared; that some instruction loads as a whole to
 * test it; and that unknown code cannot reach.  Its values are those that are
 * stored as constants, and small numbers up to the room there is.  A field of an
 * object is zero when that is made: before, nobody looks at it.  The first
 * FLAGS of them in the program's order are followed. */
#include "conc/flag_int.h"

#include "conc/access.h"
#include "ir/arith.h"

static SlotId
exact_slot(const Flags *f, InstId inst, Val addr)
{
	const Set *pts = pta_pts(f->p, inst, addr);
	SlotId s = set_single(pts) ? set_first(pts) : 0;
	ObjId o = s ? pta_slot(f->p, s)->obj : 0;

	if (!s || !pta_slot_exact(f->p, s) || pta_obj(f->p, o)->tls || pta_obj(f->p, o)->folded ||
	    pta_obj(f->p, o)->kind == OBJ_EXTERN || pta_is_thread(pta_obj(f->p, o)) ||
	    !threads_single(f->t, o) || !threads_shared(f->t, o))
		return 0;
	return s;
}

u32
flag_at(const Flags *f, InstId inst, Val addr)
{
	const Set *pts = pta_pts(f->p, inst, addr);
	u32 at = set_single(pts) ? map_get(&f->flag_of, set_first(pts)) : 0;

	return at ? at - 1 : FLAGS;
}

u32
flag_value(const Flag *g, i64 v)
{
	u32 k = 0;

	v = arith_extend((u64)v, g->width);
	while (k < g->nval && g->val[k] != v)
		k++;
	return k < g->nval ? k : ANY;
}

static void
add_value(Flag *g, i64 v)
{
	if (flag_value(g, v) == ANY && g->nval < ANY)
		g->val[g->nval++] = arith_extend((u64)v, g->width);
}

/* ---- what is tested --------------------------------------------------------- */

enum { TESTED = 1, TESTED_OR_STORED = 2, STEPS = 4 };

/* Is it a call of a function that only checks what it is given? */
static bool
is_check(const Ir *ir, const Ins *call)
{
	Val fn = ins_arg(ir, call, 0);
	const Const *c = val_is_const(fn) ? ir_const(ir, fn) : NULL;

	return c && c->kind == CONST_FN && flag_checked(ir, &ir->fns.at[c->ref]);
}

/* How the instruction looks at its operands, its result being looked at so. */
static u8
looks(const Ir *ir, const Ins *ins, u8 result)
{
	switch (ins->op) {
	case OP_CALL: return is_check(ir, ins) ? TESTED | TESTED_OR_STORED : 0;
	case OP_CMP:
	case OP_CBR:
	case OP_SWITCH:
	case OP_ASSUME:
	case OP_RET: return TESTED | TESTED_OR_STORED;
	case OP_STORE: return TESTED_OR_STORED;
	case OP_CAST:
	case OP_COPY:
	case OP_BIN:
	case OP_PHI: return result;
	default: return 0;
	}
}

/* Which registers of the function a comparison or branch uses, at most a few
 * steps away, or a store: somebody else may look at it there.  Each pass adds
 * a step, so `before` is what is known of results. */
static const u8 *
tested_in(Flags *f, FnId id)
{
	const Fn *fn = &f->ir->fns.at[id];
	u8 *now, *before;

	if (f->tested[id])
		return f->tested[id];
	now = arena_array(f->arena, u8, fn->nreg + 1);
	for (u32 pass = 0; pass <= STEPS; pass++) {
		before = now;
		now = arena_array(f->arena, u8, fn->nreg + 1);
		for (InsId i = fn->ins; i < fn->ins + fn->nins; i++) {
			const Ins *ins = ir_ins(f->ir, i);
			u8 how = looks(f->ir, ins, ins->dst ? before[ins->dst] : 0);
			u32 phi = ins->op == OP_PHI; /* every other operand is a block */
			for (u32 k = phi; how && k < ins->narg; k += 1 + phi)
				if (val_is_reg(ins_arg(f->ir, ins, k)))
					now[ins_arg(f->ir, ins, k)] |= how;
		}
	}
	f->tested[id] = now;
	return now;
}

/* Is the address that of a field of a class of the program's own?  What its objects hold is all in
 * the bytecode, and zero at first; models may leave out what they do not need. */
static bool
own_field(const Flags *f, InstId inst, Val addr)
{
	InsId def = val_is_reg(addr) ? fn_reg(f->ir, pta_fn(f->p, inst), addr)->def : 0;
	const Ins *at = def ? ir_ins(f->ir, def) : NULL;
	const Class *c;

	if (!at || at->op != OP_FIELD || at->sub != 1 || !at->aux)
		return false;
	c = &f->ir->classes.at[f->ir->fields.at[at->aux].class];
	for (u32 k = 0; k < c->nmethod; k++)
		if (f->ir->fns.at[f->ir->refs.at[c->method + k]].flags & FN_LIBRARY)
			return false;
	return c->nmethod > 0;
}

static i64
first_value(const Flags *f, SlotId slot, u16 width, bool field, bool *known)
{
	const Slot *s = pta_slot(f->p, slot);
	const Obj *o = pta_obj(f->p, s->obj);
	const Global *g = o->kind == OBJ_GLOBAL ? &f->ir->globals.at[o->ref] : NULL;
	i64 v = 0;

	*known = (g && g->linkage != LINK_DECL) ||
		 (field && o->kind == OBJ_HEAP && o->ins && ir_ins(f->ir, o->ins)->op == OP_ALLOC &&
		  ir_ins(f->ir, o->ins)->sub == ALLOC_HEAP);
	for (u32 k = 0; g && k < g->ninit; k++) {
		const Init *in = &f->ir->inits.at[g->init + k];
		const Const *c = ir_const(f->ir, in->val);
		u64 bytes = c->width ? (c->width + 7u) / 8 : 8;
		if (in->off + bytes <= (u64)s->off || in->off >= (u64)s->off + (width + 7u) / 8)
			continue;
		*known = in->off == (u64)s->off && c->kind == CONST_INT && c->width == width;
		v = c->num;
	}
	return v;
}

static void
add_flag(Flags *f, SlotId slot, u16 width, bool sem, bool field)
{
	Flag *g = &f->at[f->n];
	bool known;
	i64 v;

	if (f->n == FLAGS || map_get(&f->flag_of, slot) ||
	    fresh_unknown(f->e->fresh, pta_slot(f->p, slot)->obj))
		return;
	*g = (Flag){.slot = slot, .width = width, .sem = sem};
	v = first_value(f, slot, width, field, &known);
	known |= sem;
	add_value(g, 0);
	if (known)
		add_value(g, sem ? 0 : v);
	g->start = known ? (Known)(1u << 2 * flag_value(g, sem ? 0 : v)) : (Known)0x5555;
	map_put(f->arena, &f->flag_of, slot, ++f->n);
}

static void
visit_load(Flags *f, InstId inst, const Ins *ins, bool stored)
{
	bool sem = ins->op == OP_AWAIT && ins->sub == EVENT_SEM;
	SlotId s;

	if (!sem && ins->op != OP_LOAD && ins->op != OP_RMW && ins->op != OP_CAS)
		return;
	if (!sem && (!ins->width || ins->width > 64 || ins->rt == RT_FLOAT || ins->rt == RT_AGG))
		return;
	s = exact_slot(f, inst, ins_arg(f->ir, ins, 0));
	if (s && (sem || (ins->dst && tested_in(f, pta_inst(f->p, inst)->fn)[ins->dst] &
					  (stored ? TESTED_OR_STORED : TESTED))))
		add_flag(f, s, sem ? 32 : ins->width, sem,
			 own_field(f, inst, ins_arg(f->ir, ins, 0)));
}

static void
visit_test(Flags *f, InstId inst, const Ins *ins)
{
	visit_load(f, inst, ins, false);
}

static void
visit_kept(Flags *f, InstId inst, const Ins *ins)
{
	visit_load(f, inst, ins, true);
}

/* ---- the values -------------------------------------------------------------- */

static void
visit_value(Flags *f, InstId inst, const Ins *ins)
{
	u32 k = ins->op == OP_STORE || ins->op == OP_RMW ? 1 : 2, g;
	i64 v;

	if (ins->op != OP_STORE && ins->op != OP_RMW && ins->op != OP_CAS)
		return;
	g = flag_at(f, inst, ins_arg(f->ir, ins, 0));
	if (g < FLAGS && (ins->op != OP_RMW || ins->sub == BIN_XCHG) &&
	    flag_number(f, inst, ins_arg(f->ir, ins, k), 0, 0, &v))
		add_value(&f->at[g], v);
}

static void
visit_all(Flags *f, void (*visit)(Flags *, InstId, const Ins *))
{
	for (InstId i = 1; i < f->p->insts.n; i++) {
		const Fn *fn = pta_fn(f->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++)
			visit(f, i, ir_ins(f->ir, id));
	}
}

void
flags_find(Flags *f)
{
	f->tested = arena_array(f->arena, u8 *, f->ir->fns.n);
	visit_all(f, visit_test);
	visit_all(f, visit_kept);
	visit_all(f, visit_value);
	for (u32 k = 0; k < f->n; k++)
		for (i64 v = 0; v < ANY; v++)
			add_value(&f->at[k], v);
}

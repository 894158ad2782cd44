/* harness_type.c - which struct a pointer parameter or result points to.
 *
 * Pointers carry no type in the IR; the instructions that compute the address
 * of a member do.  A register whose member is taken points to that struct, and
 * so do the registers that copies, phis and selections connect it with, and
 * the parameters and results that direct calls connect it with.  The first
 * type found stays, so signatures change a bounded number of times; a body is looked at
 * again when its own or one that it calls has changed. */
#include "conc/harness_type.h"

typedef struct Infer {
	Ir *ir;
	ParamTypes *t;
	FnId fn;
	TypeId *reg; /* [register] of the function looked at */
	VecU32 callees;
	u32 *first;            /* [FnId]: of what it calls directly; those of the next follow */
	u32 *changed, *looked; /* [FnId]: when, by the number of looks; 0 never */
	u32 now;
} Infer;

static void
learn(TypeId *to, TypeId type)
{
	if (!*to)
		*to = type;
}

/* The same for parameter k of f, or its result behind them. */
static void
learn_signature(Infer *n, FnId f, u32 k, TypeId type)
{
	TypeId *to = &n->t->type[n->t->first[f] + k];

	if (*to || !type)
		return;
	*to = type;
	n->changed[f] = n->now;
}

/* The struct that an array of type, or type itself, is made of; 0 if none. */
static TypeId
record_of(const Ir *ir, TypeId type)
{
	u8 kind;

	if (ir->types.at[type].kind == TYPE_ARRAY)
		type = ir->types.at[type].elem;
	kind = ir->types.at[type].kind;
	return kind == TYPE_STRUCT || kind == TYPE_UNION ? type : 0;
}

static TypeId
type_of(const Infer *n, Val v)
{
	const Const *c;

	if (val_is_reg(v))
		return n->reg[v];
	c = val_is_const(v) ? ir_const(n->ir, v) : NULL;
	if (!c || c->kind != CONST_GLOBAL || c->num)
		return 0;
	return record_of(n->ir, n->ir->globals.at[c->ref].type);
}

static void
unify(Infer *n, Val v, Val w)
{
	if (val_is_reg(v))
		learn(&n->reg[v], type_of(n, w));
	if (val_is_reg(w))
		learn(&n->reg[w], type_of(n, v));
}

/* The function that a call names; 0: it goes through a pointer. */
static FnId
callee_of(const Ir *ir, const Ins *i)
{
	Val callee = ins_arg(ir, i, 0);
	const Const *c = val_is_const(callee) ? ir_const(ir, callee) : NULL;

	return c && c->kind == CONST_FN ? c->ref : 0;
}

static void
infer_call(Infer *n, const Ins *i)
{
	FnId f = callee_of(n->ir, i);
	const TypeId *sig = n->t->type + n->t->first[f];
	u32 nparam = n->ir->fns.at[f].nparam;

	if (!f)
		return;
	for (u32 k = 0; k < nparam && k + 1 < i->narg; k++) {
		Val v = ins_arg(n->ir, i, k + 1);
		learn_signature(n, f, k, type_of(n, v));
		if (val_is_reg(v))
			learn(&n->reg[v], sig[k]);
	}
	if (i->dst) {
		learn(&n->reg[i->dst], sig[nparam]);
		learn_signature(n, f, nparam, n->reg[i->dst]);
	}
}

static void
infer_ins(Infer *n, const Ins *i)
{
	switch ((Op)i->op) {
	case OP_FIELD:
		if (!i->sub && val_is_reg(ins_arg(n->ir, i, 0)))
			learn(&n->reg[ins_arg(n->ir, i, 0)], i->aux);
		break;
	case OP_ALLOC: learn(&n->reg[i->dst], record_of(n->ir, i->aux)); break;
	case OP_COPY: unify(n, i->dst, ins_arg(n->ir, i, 0)); break;
	case OP_SELECT:
		unify(n, i->dst, ins_arg(n->ir, i, 1));
		unify(n, i->dst, ins_arg(n->ir, i, 2));
		break;
	case OP_PHI:
		for (u32 k = 1; k < i->narg; k += 2)
			unify(n, i->dst, ins_arg(n->ir, i, k));
		break;
	case OP_CALL: infer_call(n, i); break;
	case OP_RET:
		if (i->narg)
			learn_signature(n, n->fn, n->ir->fns.at[n->fn].nparam,
					type_of(n, ins_arg(n->ir, i, 0)));
		break;
	default: break;
	}
}

/* One look at f, backwards: types come from uses. */
static void
infer_fn(Infer *n, FnId id)
{
	const Fn *f = &n->ir->fns.at[id];
	const TypeId *sig = n->t->type + n->t->first[id];

	n->fn = id;
	n->looked[id] = ++n->now;
	n->reg = arena_array(n->ir->arena, TypeId, f->nreg + 1);
	for (u32 k = 0; k < f->nparam; k++)
		n->reg[k + 1] = sig[k];
	for (InsId k = f->ins + f->nins; k-- > f->ins;)
		infer_ins(n, ir_ins(n->ir, k));
	for (InsId k = f->ins; k < f->ins + f->nins; k++)
		infer_ins(n, ir_ins(n->ir, k));
	for (u32 k = 0; k < f->nparam; k++)
		learn_signature(n, id, k, n->reg[k + 1]);
	arena_recycle(n->ir->arena, n->reg, (f->nreg + 1) * sizeof *n->reg);
}

/* Has something changed that a look at f reads? */
static bool
is_open(const Infer *n, FnId f)
{
	bool open = n->changed[f] >= n->looked[f];

	for (u32 k = n->first[f]; k < n->first[f + 1] && !open; k++)
		open = n->changed[n->callees.at[k]] >= n->looked[f];
	return open;
}

static void
list_callees(Infer *n)
{
	Ir *ir = n->ir;

	n->first = arena_array(ir->arena, u32, ir->fns.n + 1);
	for (FnId f = 1; f < ir->fns.n; f++) {
		const Fn *fn = &ir->fns.at[f];

		n->first[f] = n->callees.n;
		for (InsId k = fn->ins; k < fn->ins + (fn->nblock ? fn->nins : 0); k++)
			if (ir_ins(ir, k)->op == OP_CALL && callee_of(ir, ir_ins(ir, k)))
				vec_push(ir->arena, &n->callees, callee_of(ir, ir_ins(ir, k)));
	}
	n->first[ir->fns.n] = n->callees.n;
}

/* Registers start anew in each look; what signatures learn stays, and when nothing is left
 * to be looked at they are all that can be learned. */
ParamTypes
param_types(Ir *ir)
{
	ParamTypes t = {0};
	Infer n = {.ir = ir, .t = &t};
	u32 total = 0;

	t.first = arena_array(ir->arena, u32, ir->fns.n);
	for (FnId f = 1; f < ir->fns.n; f++) {
		t.first[f] = total;
		total += ir->fns.at[f].nparam + 1;
	}
	t.type = arena_array(ir->arena, TypeId, total);
	n.changed = arena_array(ir->arena, u32, ir->fns.n);
	n.looked = arena_array(ir->arena, u32, ir->fns.n);
	list_callees(&n);
	for (u32 before = UINT32_MAX; before != n.now;) {
		before = n.now;
		for (FnId f = 1; f < ir->fns.n; f++)
			if (ir->fns.at[f].nblock && is_open(&n, f))
				infer_fn(&n, f);
	}
	arena_recycle(ir->arena, n.first, (ir->fns.n + 1) * sizeof *n.first);
	arena_recycle(ir->arena, n.changed, ir->fns.n * sizeof *n.changed);
	arena_recycle(ir->arena, n.looked, ir->fns.n * sizeof *n.looked);
	arena_recycle(ir->arena, n.callees.at, n.callees.cap * sizeof *n.callees.at);
	return t;
}

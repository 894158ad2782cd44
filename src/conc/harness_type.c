/* harness_type.c - which struct a pointer parameter or result points to.
 *
 * Pointers carry no type in the IR; the instructions that compute the address
 * of a member do.  A register whose member is taken points to that struct, and
 * so do the registers that copies, phis and selections connect it with, and
 * the parameters and results that direct calls connect it with.  The first
 * type found stays, so signatures change a bounded number of times. */
#include "conc/harness_type.h"

typedef struct Infer {
	Ir *ir;
	ParamTypes *t;
	const Fn *fn;
	TypeId *reg; /* [register] of the function looked at */
} Infer;

static void
learn(TypeId *to, TypeId type)
{
	if (!*to)
		*to = type;
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

static void
infer_call(Infer *n, const Ins *i)
{
	Val callee = ins_arg(n->ir, i, 0);
	const Const *c = val_is_const(callee) ? ir_const(n->ir, callee) : NULL;
	TypeId *sig;
	u32 nparam;

	if (!c || c->kind != CONST_FN)
		return;
	sig = n->t->type + n->t->first[c->ref];
	nparam = n->ir->fns.at[c->ref].nparam;
	for (u32 k = 0; k < nparam && k + 1 < i->narg; k++) {
		Val v = ins_arg(n->ir, i, k + 1);
		learn(&sig[k], type_of(n, v));
		if (val_is_reg(v))
			learn(&n->reg[v], sig[k]);
	}
	if (i->dst) {
		learn(&n->reg[i->dst], sig[nparam]);
		learn(&sig[nparam], n->reg[i->dst]);
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
			learn(&n->t->type[n->t->first[n->fn - n->ir->fns.at] + n->fn->nparam],
			      type_of(n, ins_arg(n->ir, i, 0)));
		break;
	default: break;
	}
}

/* One look at f, backwards: types come from uses. */
static void
infer_fn(Infer *n, FnId f)
{
	TypeId *sig = n->t->type + n->t->first[f];

	n->fn = &n->ir->fns.at[f];
	n->reg = arena_array(n->ir->arena, TypeId, n->fn->nreg + 1);
	for (u32 k = 0; k < n->fn->nparam; k++)
		n->reg[k + 1] = sig[k];
	for (InsId k = n->fn->ins + n->fn->nins; k-- > n->fn->ins;)
		infer_ins(n, ir_ins(n->ir, k));
	for (InsId k = n->fn->ins; k < n->fn->ins + n->fn->nins; k++)
		infer_ins(n, ir_ins(n->ir, k));
	for (u32 k = 0; k < n->fn->nparam; k++)
		learn(&sig[k], n->reg[k + 1]);
	arena_recycle(n->ir->arena, n->reg, (n->fn->nreg + 1) * sizeof *n->reg);
}

/* Registers start anew in each round; what signatures learn stays, and a round
 * in which they learn nothing is the last. */
ParamTypes
param_types(Ir *ir)
{
	ParamTypes t = {0};
	Infer n = {.ir = ir, .t = &t};
	u32 total = 0, known = 0, before;

	t.first = arena_array(ir->arena, u32, ir->fns.n);
	for (FnId f = 1; f < ir->fns.n; f++) {
		t.first[f] = total;
		total += ir->fns.at[f].nparam + 1;
	}
	t.type = arena_array(ir->arena, TypeId, total);
	do {
		before = known;
		for (FnId f = 1; f < ir->fns.n; f++)
			if (ir->fns.at[f].nblock)
				infer_fn(&n, f);
		known = 0;
		for (u32 k = 0; k < total; k++)
			known += t.type[k] != 0;
	} while (known != before);
	return t;
}

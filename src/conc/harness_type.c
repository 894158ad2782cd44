/* harness_type.c - which struct a pointer parameter or result points to.
 *
 * Pointers carry no type in the IR; the instructions that compute the address
 * of a member do.  A register whose member is taken points to that struct, and
 * so do the registers that copies, phis and selections connect it with, and
 * the parameters and results that direct calls connect it with.  The first
 * type found stays, so signatures change a bounded number of times; a function
 * is looked at again only if its own or one that it calls has. */
#include "base/vec.h"
#include "conc/harness_type.h"

/* The functions that one calls: a part of Infer.called. */
typedef struct Calls {
	u32 first, end;
} Calls;

typedef struct Infer {
	Ir *ir;
	ParamTypes *t;
	const Fn *fn;
	TypeId *reg; /* [register] of the function looked at */
	u32 looks;   /* so many functions were looked at */
	u32 *looked,
	    *changed; /* [FnId]: the last look at it, and that which changed its signature */
	Calls *calls; /* [FnId] */
	VecU32 called;
	Arena scratch;
} Infer;

static void
learn(TypeId *to, TypeId type)
{
	if (!*to)
		*to = type;
}

/* Of the signature of f. */
static void
learn_sig(Infer *n, FnId f, u32 k, TypeId type)
{
	TypeId *to = &n->t->type[n->t->first[f] + k];

	if (*to || !type)
		return;
	*to = type;
	n->changed[f] = n->looks;
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
	const TypeId *sig;
	u32 nparam;

	if (!c || c->kind != CONST_FN)
		return;
	if (!n->looked[n->fn - n->ir->fns.at])
		vec_push(&n->scratch, &n->called, c->ref);
	sig = n->t->type + n->t->first[c->ref];
	nparam = n->ir->fns.at[c->ref].nparam;
	for (u32 k = 0; k < nparam && k + 1 < i->narg; k++) {
		Val v = ins_arg(n->ir, i, k + 1);
		learn_sig(n, c->ref, k, type_of(n, v));
		if (val_is_reg(v))
			learn(&n->reg[v], sig[k]);
	}
	if (i->dst) {
		learn(&n->reg[i->dst], sig[nparam]);
		learn_sig(n, c->ref, nparam, n->reg[i->dst]);
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
			learn_sig(n, (FnId)(n->fn - n->ir->fns.at), n->fn->nparam,
				  type_of(n, ins_arg(n->ir, i, 0)));
		break;
	default: break;
	}
}

/* One look at f, backwards: types come from uses. */
static void
infer_fn(Infer *n, FnId f)
{
	const TypeId *sig = n->t->type + n->t->first[f];
	u32 look = ++n->looks;

	n->fn = &n->ir->fns.at[f];
	n->reg = arena_array(&n->scratch, TypeId, n->fn->nreg + 1);
	for (u32 k = 0; k < n->fn->nparam; k++)
		n->reg[k + 1] = sig[k];
	for (InsId k = n->fn->ins + n->fn->nins; k-- > n->fn->ins;)
		infer_ins(n, ir_ins(n->ir, k));
	n->looked[f] = look;
	for (InsId k = n->fn->ins; k < n->fn->ins + n->fn->nins; k++)
		infer_ins(n, ir_ins(n->ir, k));
	for (u32 k = 0; k < n->fn->nparam; k++)
		learn_sig(n, f, k, n->reg[k + 1]);
	arena_recycle(&n->scratch, n->reg, (n->fn->nreg + 1) * sizeof *n->reg);
}

/* Has a signature changed since the look at f began? */
static bool
may_learn(const Infer *n, FnId f)
{
	bool may = n->changed[f] >= n->looked[f];

	for (u32 k = n->calls[f].first; k < n->calls[f].end && !may; k++)
		may = n->changed[n->called.at[k]] >= n->looked[f];
	return may;
}

static void
infer_all(Infer *n)
{
	u32 before;

	for (FnId f = 1; f < n->ir->fns.n; f++) {
		n->calls[f].first = n->called.n;
		if (n->ir->fns.at[f].nblock)
			infer_fn(n, f);
		n->calls[f].end = n->called.n;
	}
	do {
		before = n->looks;
		for (FnId f = 1; f < n->ir->fns.n; f++)
			if (n->ir->fns.at[f].nblock && may_learn(n, f))
				infer_fn(n, f);
	} while (n->looks != before);
}

/* Registers start anew in each look; what signatures learn stays. */
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
	arena_init(&n.scratch, ir->arena->budget);
	n.looked = arena_array(&n.scratch, u32, ir->fns.n);
	n.changed = arena_array(&n.scratch, u32, ir->fns.n);
	n.calls = arena_array(&n.scratch, Calls, ir->fns.n);
	infer_all(&n);
	arena_release(&n.scratch);
	return t;
}

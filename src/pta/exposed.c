/* exposed.c - the structs that unknown code knows from the inside.
 *
 * Unknown code that is handed a pointer may do with the memory what it likes; but
 * to put a function into a member of it, it must know the struct.  It knows those
 * that its functions are declared with: the structs that pointers point to which are
 * passed to unknown functions or come from them, or which the program's callers pass
 * to its interface (what the root calls), and all that lie in them or that their
 * members point to.
 *
 * Structs are marked by name, those without one by where they lie (nameless.c), each
 * once, so this is linear in the types and the calls of unknown functions. */
#include "pta/pta_int.h"

typedef struct Exposed {
	Solver *s;
	const TypeId *nameless;
	bool *is;    /* [TypeId] */
	Set named;   /* StrIds of structs */
	VecU32 work; /* types */
} Exposed;

static void
mark(Exposed *x, TypeId t)
{
	if (!t || x->is[t])
		return;
	x->is[t] = true;
	vec_push(x->s->a, &x->work, t);
}

static void
mark_value(Exposed *x, FnId f, Val v)
{
	const Ir *ir = x->s->ir;

	if (val_is_reg(v))
		mark(x, typed_pointee(x->s, f, v));
	else if (v && ir_const(ir, v)->kind == CONST_GLOBAL)
		mark(x, ir->globals.at[ir_const(ir, v)->ref].type);
}

static void
mark_call(Exposed *x, FnId f, const Ins *i)
{
	FnId callee = i->op == OP_CALL ? call_named(x->s->ir, i, 0) : 0;

	if (i->op == OP_EXTERN)
		for (u32 k = 0; k < i->narg; k++)
			mark_value(x, f, ins_arg(x->s->ir, i, k));
	if (i->op == OP_EXTERN && i->dst)
		mark_value(x, f, i->dst);
	if (i->op == OP_CALL && callee && f == x->s->p->insts.at[x->s->p->root].fn)
		for (u32 k = 1; k <= x->s->ir->fns.at[callee].nparam; k++)
			mark_value(x, callee, k);
}

/* What lies in t, or its members point to. */
static void
close(Exposed *x, TypeId t)
{
	const Type *o = &x->s->ir->types.at[t];

	mark(x, o->elem);
	for (u32 k = 0; k < o->nmember; k++)
		mark(x, x->s->ir->members.at[o->member + k].type);
}

/* Other declarations of what is marked; says whether there are any. */
static bool
mark_alike(Exposed *x)
{
	const Ir *ir = x->s->ir;
	u32 before = x->work.n;

	for (TypeId t = 1; t < ir->types.n; t++)
		if (x->is[t] && ir->types.at[t].name)
			set_add(x->s->a, &x->named, ir->types.at[t].name);
	for (TypeId t = 1; t < ir->types.n; t++)
		if (!x->is[t] && (ir->types.at[t].name ? set_has(&x->named, ir->types.at[t].name)
						       : x->is[x->nameless[t]]))
			mark(x, t);
	return x->work.n > before;
}

const bool *
exposed_find(Solver *s, const TypeId *nameless)
{
	const Ir *ir = s->ir;
	Exposed x = {.s = s, .nameless = nameless, .is = arena_array(s->a, bool, ir->types.n)};

	for (FnId f = 1; f < ir->fns.n; f++)
		for (u32 k = 0; k < ir->fns.at[f].nins; k++) {
			const Ins *i = ir_ins(ir, ir->fns.at[f].ins + k);
			if (i->op == OP_EXTERN || i->op == OP_CALL)
				mark_call(&x, f, i);
		}
	do {
		while (x.work.n)
			close(&x, x.work.at[--x.work.n]);
	} while (mark_alike(&x));
	return x.is;
}

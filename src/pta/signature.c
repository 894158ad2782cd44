/* signature.c - calls through pointers, and functions of another type.
 *
 * A pointer to a function that comes out of memory may, as far as inclusion
 * constraints see it, be any function whose address went in nearby.  But a call
 * through a pointer passes what the type of the pointer says, and C11 6.5.2.2p9
 * leaves undefined a call of a function of another type.  So a function that is
 * called somewhere through a pointer of its own type is called through no
 * other: as many arguments as it has parameters, numbers where it expects
 * numbers and addresses where it expects addresses, and a result where one is
 * used.  Programs do call functions with arguments too many (a cast `free`); a
 * function that no such call fits is called wherever its address comes.
 *
 * A call that does not fit waits (call_misfits) until nothing else is left to
 * propagate; then those whose functions still fit nowhere are made, and their
 * functions stay loose, so there are at most as many rounds as functions. */
#include "pta/pta_int.h"

/* What a register may be passed as: pointers and integers as wide as one mix. */
static bool
same_kind(const Ir *ir, u8 rt, u16 width, const Reg *r)
{
	bool wide = rt == RT_PTR || (rt == RT_INT && width == ir->ptr_bytes * 8);
	bool wide_too = r->rt == RT_PTR || (r->rt == RT_INT && r->width == ir->ptr_bytes * 8);

	if (rt == RT_AGG || r->rt == RT_AGG || rt == RT_VOID || r->rt == RT_VOID)
		return true; /* as unknown */
	if ((rt == RT_FLOAT) != (r->rt == RT_FLOAT))
		return false;
	return rt == RT_FLOAT || wide == wide_too;
}

static bool
arg_fits(const Solver *s, const Fn *caller, Val v, const Reg *param)
{
	const Const *c = val_is_const(v) ? ir_const(s->ir, v) : NULL;
	const Reg *r = val_is_reg(v) ? fn_reg(s->ir, caller, v) : NULL;

	if (c && c->kind != CONST_INT && c->kind != CONST_OPAQUE)
		return c->kind == CONST_UNDEF || same_kind(s->ir, RT_PTR, 0, param);
	if (c)
		return same_kind(s->ir, c->rt, c->width, param);
	return !r || same_kind(s->ir, r->rt, r->width, param);
}

/* Do the operands of the call fit the callee's parameters? */
static bool
call_fits(const Solver *s, SiteId site, FnId callee)
{
	Site at = s->site.at[site];
	const Ins *i = ir_ins(s->ir, at.ins);
	const Fn *f = &s->ir->fns.at[call_resolve(s->ir, callee)], *caller = pta_fn(s->p, at.inst);
	u32 n = i->narg - at.first;

	if (i->op != OP_CALL || val_is_const(ins_arg(s->ir, i, 0)) || f->flags & FN_VARIADIC)
		return true;
	if (n != f->nparam || (i->dst && f->ret == RT_VOID))
		return false;
	for (u32 k = 0; k < n; k++)
		if (!arg_fits(s, caller, ins_arg(s->ir, i, at.first + k), fn_reg(s->ir, f, k + 1)))
			return false;
	return true;
}

void
call_through(Solver *s, SiteId site, FnId callee)
{
	FnId f = call_resolve(s->ir, callee);

	if (call_fits(s, site, f))
		set_add(s->a, &s->fitting, f);
	else if (!set_has(&s->loose, f)) {
		vec_push(s->a, &s->misfit, ((Misfit){site, f}));
		return;
	}
	call_bind(s, site, callee);
}

bool
call_misfits(Solver *s)
{
	u32 n = s->misfit.n;

	for (u32 k = 0; k < n; k++) {
		Misfit m = s->misfit.at[k];
		if (set_has(&s->fitting, m.fn)) {
			s->p->strict = true;
			vec_push(s->a, &s->misfit, m);
		} else {
			set_add(s->a, &s->loose, m.fn);
			call_bind(s, m.site, m.fn);
		}
	}
	for (u32 k = n; k < s->misfit.n; k++)
		s->misfit.at[k - n] = s->misfit.at[k];
	s->misfit.n -= n;
	return s->misfit.n < n;
}

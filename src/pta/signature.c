/* signature.c - calls through pointers, and functions of another type.
 *
 * A pointer to a function that comes out of memory may, as far as inclusion
 * constraints see it, be any function whose address went in nearby.  But a call
 * through a pointer passes what the type of the pointer says, and C11 6.5.2.2p9
 * leaves undefined a call of a function of another type.  So a function that is
 * called somewhere through a pointer of its own type is called through no
 * other.  A call fits roughly that passes as many arguments as there are
 * parameters, numbers where numbers are expected and addresses where addresses
 * are, and uses no result where there is none; it fits well if also the structs
 * that these addresses are of, as far as the caller declares and the callee uses
 * them, are the same, there is a result exactly if one is returned (a library that calls back
 * drops it), and the type
 * that the pointer is declared with, where it is known, is alike that of the
 * function (protos_alike): a pointer to void or bytes may stand for one to any data.
 * What is loaded from a member must have been given to that member (house.c): no other
 * function is ever called from there.  A start routine or a handler of signals that is
 * kept in memory is often cast to its type, so it fits unless it takes more than it is passed, or
 * a pointer where it gets a number; if it is of another type, and it is not known that it was put
 * there, that it is started is only assumed, and a guess if others call it (conc/guess.h).
 *
 * Programs do call functions with arguments too many (a cast `free`) or of other
 * types.  So a call that does not fit well waits (call_misfits) until nothing
 * else is left to propagate; then the functions that have fitted nowhere take
 * what fits them roughly.  What a model passes may be wider than the parameter is: such a call is made
 * at last, too, and assumed where others fit better.  Only when nothing is left of these either, and all
 * that they reach was seen, do those that fit nowhere take what there is (such edges are
 * `assumed`, if unknown code, which may call by any type, was given the function).  They
 * stay so, so there are at most as many rounds as functions. */
#include "pta/pta_int.h"

#include <string.h>

enum { FIT_NEVER, FIT_NOT, FIT_ROUGHLY, FIT_WELL };

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

/* May argument v point to what callee uses parameter k as a pointer to? */
static bool
points_alike(Solver *s, FnId caller, Val v, FnId callee, u32 k)
{
	TypeId want = typed_pointee(s, callee, k);

	if (val_is_const(v))
		return !want || ir_const(s->ir, v)->kind != CONST_FN;
	return !v || typed_alike(s->ir, typed_pointee(s, caller, v), want);
}

/* ---- declared types: "struct s * (void *, int)" ---------------------------------- */

static size_t
part_end(const char *s)
{
	return strcspn(s, "(,)");
}

static bool
is_part(const char *s, size_t n, const char *text)
{
	return n == strlen(text) && !memcmp(s, text, n);
}

static bool
is_raw(const char *s, size_t n)
{
	return is_part(s, n, "void *") || is_part(s, n, "char *") ||
	       is_part(s, n, "unsigned char *") || is_part(s, n, "signed char *");
}

/* Numbers were compared before, by their width. */
static bool
parts_alike(const char *a, size_t n, const char *b, size_t m)
{
	bool points = n && a[n - 1] == '*', points_too = m && b[m - 1] == '*';

	if (!points || !points_too)
		return points == points_too;
	if (n == m && !memcmp(a, b, n))
		return true;
	if (is_part(a, n, "function *") || is_part(b, m, "function *"))
		return false;
	return is_raw(a, n) || is_raw(b, m);
}

/* Are two types of functions the same, as far as they are said? */
static bool
protos_alike(const char *a, const char *b)
{
	while (*a && *b) {
		size_t n = part_end(a), m = part_end(b);
		if (is_part(a, n, "...") || is_part(b, m, "...") || a[n] != b[m])
			return true; /* their number was compared before */
		if (!parts_alike(a, a[n] == '(' ? n - 1 : n, b, b[m] == '(' ? m - 1 : m))
			return false;
		a += n + (a[n] != 0);
		b += m + (b[m] != 0);
		a += *a == ' ';
		b += *b == ' ';
	}
	return true;
}

/* May the function have the type that the pointer of a call is declared with? */
static bool
declared_alike(Solver *s, FnId caller, Val v, const Fn *f)
{
	StrId want = val_is_reg(v) ? typed_called(s, caller, v) : 0;

	return !want || !f->proto || want == f->proto ||
	       protos_alike(ir_str(s->ir, want), ir_str(s->ir, f->proto));
}

/* Does f have the type of what the fork starts, as far as it is said?  A handler of signals
 * gets a number, and maybe more, and returns nothing. */
static bool
starts_alike(Solver *s, FnId caller, const Ins *i, Val v, const Fn *f)
{
	if (val_is_reg(v) && typed_called(s, caller, v))
		return f->nparam && declared_alike(s, caller, v, f);
	return f->nparam && (!(i->flags & INS_INTERRUPTS) || f->ret == RT_VOID);
}

/* How well do the operands of the call fit f's parameters? */
static u32
call_fits(Solver *s, SiteId site, FnId callee)
{
	Site at = s->site.at[site];
	const Ins *i = ir_ins(s->ir, at.ins);
	const Fn *f = &s->ir->fns.at[callee], *caller = pta_fn(s->p, at.inst);
	FnId from = s->p->insts.at[at.inst].fn;
	u32 n = i->narg - at.first, fit = FIT_WELL;
	bool fork = i->op == OP_FORK;
	Val pointer;

	if (i->op != OP_CALL && !fork)
		return FIT_WELL;
	pointer = ins_arg(s->ir, i, at.first - 1);
	if (val_is_const(pointer))
		return FIT_WELL;
	if (house_never(s, from, pointer, callee))
		return FIT_NEVER;
	if (n < f->nparam || (n > f->nparam && !(f->flags & FN_VARIADIC) && !fork) ||
	    (i->dst && !fork && f->ret == RT_VOID))
		return FIT_NOT;
	n = f->nparam;
	if (fork && !house_gives(s, from, pointer, callee) && !starts_alike(s, from, i, pointer, f))
		fit = FIT_ROUGHLY;
	if (!fork &&
	    ((!i->dst && f->ret != RT_VOID && !(i->flags & INS_MODEL)) ||
	     !declared_alike(s, from, pointer, f) || !house_holds(s, from, pointer, callee)))
		fit = FIT_ROUGHLY;
	for (u32 k = 0; k < n; k++) {
		Val v = ins_arg(s->ir, i, at.first + k);
		const Reg *param = fn_reg(s->ir, f, k + 1);
		if (!arg_fits(s, caller, v, param) && !(fork && param->rt == RT_INT))
			return FIT_NOT;
		if (!fork && f->nblock && !points_alike(s, from, v, callee, k + 1))
			fit = FIT_ROUGHLY;
	}
	return fit;
}

/* Do only numbers of which a model does not say how wide they are not fit f? */
static bool
fits_but_for_width(Solver *s, SiteId site, FnId callee, u32 fit)
{
	Site at = s->site.at[site];
	const Ins *i = ir_ins(s->ir, at.ins);
	const Fn *f = &s->ir->fns.at[callee], *caller = pta_fn(s->p, at.inst);

	if (fit != FIT_NOT || i->op != OP_CALL || !(i->flags & INS_MODEL) ||
	    i->narg - at.first != f->nparam ||
	    !house_holds(s, s->p->insts.at[at.inst].fn, ins_arg(s->ir, i, at.first - 1), callee))
		return false;
	for (u32 k = 0; k < f->nparam; k++) {
		Val v = ins_arg(s->ir, i, at.first + k);
		const Reg *r = val_is_reg(v) ? fn_reg(s->ir, caller, v) : NULL;
		bool any = r && r->def && ir_ins(s->ir, r->def)->op == OP_NONDET;
		const Reg *param = fn_reg(s->ir, f, k + 1);
		if (!arg_fits(s, caller, v, param) && !(any && param->rt == RT_INT))
			return false;
	}
	return true;
}

void
call_through(Solver *s, SiteId site, FnId callee)
{
	FnId f = call_resolve(s->ir, callee);
	u32 fit = call_fits(s, site, f);
	u32 *enough = map_at(s->a, &s->enough, f);

	if (fit == FIT_ROUGHLY && ir_ins(s->ir, s->site.at[site].ins)->op == OP_FORK) {
		call_bind(s, site, callee, true);
		return;
	}
	if (fit == FIT_WELL && !*enough)
		*enough = FIT_WELL;
	if (*enough && fit >= *enough)
		call_bind(s, site, callee, false);
	else if (fit != FIT_NEVER)
		vec_push(s->a, &s->misfit,
			 ((Misfit){site, f, fit, fits_but_for_width(s, site, f, fit)}));
	else
		s->p->strict = true;
}

void
call_unknown_through(Solver *s, SiteId site)
{
	Site at = s->site.at[site];
	const Ins *i = ir_ins(s->ir, at.ins);

	if ((i->op != OP_CALL && i->op != OP_FORK) ||
	    house_unknown(s, s->p->insts.at[at.inst].fn, ins_arg(s->ir, i, at.first - 1)))
		call_unknown(s, site);
	else
		s->p->strict = true;
}

/* Lets `fit` be enough for the functions that have fitted better nowhere so far. */
static void
settle(Solver *s, u32 fit)
{
	for (u32 k = 0; k < s->misfit.n; k++) {
		u32 *enough = map_at(s->a, &s->enough, s->misfit.at[k].fn);
		if (!*enough && s->misfit.at[k].fit == fit)
			*enough = fit;
	}
}

/* Is it only assumed that the call, which does not fit, is made?  Unknown code, which was given the
 * function, may make it; or it would fit but for what a model leaves open, and others fit better. */
static bool
is_assumed(Solver *s, const Misfit *m, u32 enough)
{
	Site at = s->site.at[m->site];

	if (enough && m->fit >= enough)
		return m->fit == FIT_NOT && call_is_back(s, m->fn);
	return !house_gives(s, s->p->insts.at[at.inst].fn,
			    ins_arg(s->ir, ir_ins(s->ir, at.ins), at.first - 1), m->fn);
}

/* Makes the calls that fit well enough; says whether there were any. */
static bool
bind_misfits(Solver *s)
{
	u32 n = s->misfit.n, kept = 0;

	for (u32 k = 0; k < n; k++) {
		Misfit m = s->misfit.at[k];
		u32 enough = map_get(&s->enough, m.fn);
		if (m.wide || (enough && m.fit >= enough))
			call_bind(s, m.site, m.fn, is_assumed(s, &m, enough));
		else
			s->misfit.at[kept++] = m;
	}
	assert(s->misfit.n == n); /* binding makes edges; it propagates nothing */
	s->misfit.n = kept;
	return kept < n;
}

bool
call_misfits(Solver *s)
{
	for (u32 fit = FIT_ROUGHLY; fit >= FIT_NOT; fit--) {
		settle(s, fit);
		if (bind_misfits(s))
			return true;
	}
	s->p->strict |= s->misfit.n != 0;
	return false;
}
